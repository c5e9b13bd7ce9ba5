import { Button, type ButtonProps, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { EXPORT_FORMATS, type ExportFormat } from './export-text.ts'

interface ExportMenuProps extends Pick<ButtonProps, 'variant' | 'size'> {
  label: string
  choose(format: ExportFormat): unknown
}

export function ExportMenu({ label, choose, ...button }: ExportMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button leftSection={<IconDownload size={15} />} {...button}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(EXPORT_FORMATS) as ExportFormat[]).map((format) => (
          <Menu.Item key={format} onClick={() => void choose(format)}>
            {EXPORT_FORMATS[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
