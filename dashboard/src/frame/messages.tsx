import {
  type NotificationData,
  Notifications,
  notifications,
  type NotificationsProps,
  notificationsStore,
  useNotifications,
} from '@mantine/notifications'
import { type UIEvent, useEffect, useLayoutEffect } from 'react'

/** More at a time would cover the page. */
const SHOWN_MAX = 4
const CLOSES_AFTER_MS = 6000

/**
 * A file of its own, so that it can be loaded with the first message. The newest tells what somebody has just done: it
 * waits for none before it, of which some stay until they are closed. What would go by itself makes room for it, what
 * offers nothing first.
 */
export default function Messages(props: NotificationsProps) {
  const { notifications: shown } = useNotifications()
  useLayoutEffect(() => {
    const surplus = shown.length - SHOWN_MAX
    if (surplus <= 0 || isAttendedTo()) return
    const before = shown.slice(0, -1).filter((message) => message.autoClose !== false)
    const soonestFirst = before.sort((one, other) => closesAfter(one) - closesAfter(other))
    for (const { id } of soonestFirst.slice(0, surplus)) notifications.hide(id!)
  }, [shown])
  // What was told before this was here waits by the limit that Mantine has until then.
  useEffect(() => notifications.updateState(notificationsStore, (all) => all), [])
  // Of what is higher than 200 px Mantine would hide both ends.
  const room = { notificationMaxHeight: 'none', limit: Number.POSITIVE_INFINITY }
  // An open dialog lets nothing beside it be scrolled whose wheels and fingers it hears of.
  const scrolled = { onWheel: unheard, onTouchMove: unheard }
  return <Notifications {...props} {...room} {...scrolled} autoClose={CLOSES_AFTER_MS} />
}

const unheard = (event: UIEvent) => event.stopPropagation()

/** What somebody is about to press must not move away. */
function isAttendedTo(): boolean {
  return document.querySelector('.mantine-Notifications-root:is(:hover, :focus-within)') !== null
}

const closesAfter = ({ autoClose }: NotificationData) => (typeof autoClose === 'number' ? autoClose : CLOSES_AFTER_MS)
