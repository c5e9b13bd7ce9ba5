import { Tooltip, type TooltipProps } from '@mantine/core'

/** A file of its own, so that it can be loaded when it is first needed. */
export default function LateTooltip(props: TooltipProps) {
  return <Tooltip {...props} />
}
