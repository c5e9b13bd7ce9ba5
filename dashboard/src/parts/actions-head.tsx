import { Table, VisuallyHidden } from '@mantine/core'

/** Above a column of buttons, which need no heading for those who see them. */
export function ActionsHead() {
  return (
    <Table.Th>
      <VisuallyHidden>Actions</VisuallyHidden>
    </Table.Th>
  )
}
