import { Drawer } from '@mantine/core'
import { Side } from './side.tsx'

/** The side bar where there is no room beside the page. */
export default function SideDrawer({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <Drawer
      opened={opened}
      onClose={close}
      size="18rem"
      position="right"
      title="Menu"
      padding="md"
      classNames={{ content: 'side-drawer', body: 'side-drawer-body' }}
      closeButtonProps={{ 'aria-label': 'Close the menu' }}
    >
      <nav aria-label="Main">
        <Side />
      </nav>
    </Drawer>
  )
}
