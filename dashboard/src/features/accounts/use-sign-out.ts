import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { messageOf } from '../../api/platform.ts'
import { signOut } from '../../api/session.ts'
import { signedOutNow } from './signed-in-now.ts'

export function useSignOut() {
  const [, go] = useLocation()
  return useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      go('/sign-in')
      signedOutNow()
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'You are still signed in', message: messageOf(error) }),
  })
}
