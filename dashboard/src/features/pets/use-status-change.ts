import { notifications } from '@mantine/notifications'
import { type InfiniteData, useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/platform.ts'
import { changePet, type Pet, type PetStatus } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import type { Page } from '../../../../client/src/platform/platform.ts'
import { queryClient } from '../../query-client.ts'

type PetPages = InfiniteData<Page<Pet>>

/** Shown at once, because it nearly always succeeds and is put back where it does not. */
export function useStatusChange(slug: string, environment: Environment) {
  const lists = { queryKey: ['projects', slug, environment, 'pets'] }
  return useMutation({
    mutationFn: ({ pet, status }: { pet: Pet; status: PetStatus }) => changePet(slug, environment, pet.id, { status }),
    onMutate: async ({ pet, status }) => {
      await queryClient.cancelQueries(lists)
      const before = queryClient.getQueriesData<PetPages>(lists)
      queryClient.setQueriesData<PetPages>(lists, (pages) => pages && withStatus(pages, pet, status))
      return { before }
    },
    onError: (error, _change, context) => {
      for (const [key, pages] of context?.before ?? []) queryClient.setQueryData(key, pages)
      notifications.show({ color: 'red', title: 'The status was not changed', message: messageOf(error) })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', slug] }),
  })
}

const withStatus = (list: PetPages, { id }: Pet, status: PetStatus): PetPages => ({
  ...list,
  pages: list.pages.map((page) => ({
    ...page,
    items: page.items.map((pet) => (pet.id === id ? { ...pet, status } : pet)),
  })),
})
