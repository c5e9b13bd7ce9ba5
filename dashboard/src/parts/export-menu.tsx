import { Button, type ButtonProps } from '@mantine/core'
import { IconDownload } from '../icons/icons.ts'
import { EXPORT_FORMATS, type ExportFormat } from './export-text.ts'
import { RowMenu } from './row-menu.tsx'

interface ExportMenuProps extends Pick<ButtonProps, 'variant' | 'size'> {
  label: string
  choose(format: ExportFormat): unknown
}

export function ExportMenu({ label, choose, ...button }: ExportMenuProps) {
  return (
    <RowMenu
      button={
        <Button leftSection={<IconDownload size={15} />} {...button}>
          {label}
        </Button>
      }
      choices={(Object.keys(EXPORT_FORMATS) as ExportFormat[]).map((format) => ({
        label: EXPORT_FORMATS[format],
        choose: () => choose(format),
      }))}
    />
  )
}
