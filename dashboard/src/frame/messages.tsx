import { Notifications, type NotificationsProps } from '@mantine/notifications'

/** A file of its own, so that it can be loaded with the first message. */
export default function Messages(props: NotificationsProps) {
  return <Notifications {...props} />
}
