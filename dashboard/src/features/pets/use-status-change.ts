import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { Page } from '../../../../client/src/platform/platform.ts'
import { allowedFrom, mayBecome } from '../../../../src/features/pets/status.ts'
import { changePet, type Pet, type PetStatus } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { each, type EachOutcome } from '../../parts/each.ts'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { countText } from '../../parts/count-text.ts'
import { sayRefused } from './refused.tsx'

export type ChangeStatus = (what: { pets: readonly Pet[]; status: PetStatus }) => void

/** Shown at once, because it nearly always succeeds and is put back where it does not. */
export function useStatusChange(environment: Environment) {
  const { slug } = useProject()
  const lists = { queryKey: ['projects', slug, environment, 'pets'] }
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['projects', slug] })
  const changeAll = (pets: readonly Pet[], way: (pet: Pet) => readonly PetStatus[]) =>
    each(pets, async (pet) => {
      for (const status of way(pet)) await changePet(slug, environment, pet.id, { status })
    })

  return useMutation({
    mutationFn: ({ pets, status }: Parameters<ChangeStatus>[0]) => changeAll(pets, () => [status]),
    onMutate: async ({ pets, status }) => {
      await queryClient.cancelQueries(lists)
      const before = queryClient.getQueriesData<Page<Pet>>(lists)
      const ids = new Set(pets.map(({ id }) => id))
      queryClient.setQueriesData<Page<Pet>>(lists, (page) => page && withStatus(page, ids, status))
      return { before }
    },
    onSuccess: ({ done, failed }: EachOutcome<Pet>, { status }, { before }) => {
      if (failed.length > 0) for (const [key, page] of before) queryClient.setQueryData(key, page)
      sayRefused(failed, failed.length === 1 ? 'The status was not changed' : 'Some were not changed')
      if (done.length === 0) return
      const [only] = done
      sayWithUndo(
        done.length === 1
          ? `${only?.name} is ${status} now.`
          : `${countText(done.length, 'animal')} are ${status} now.`,
        async () => {
          const back = await changeAll(done, (pet) => wayBack(status, pet.status))
          await refresh()
          sayRefused(back.failed, 'Not all were taken back')
        },
      )
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The status was not changed', message: error.message }),
    onSettled: refresh,
  })
}

/** Those that may become so, and are not so yet. */
export const changeable = (pets: readonly Pet[], status: PetStatus) =>
  pets.filter((pet) => pet.status !== status && mayBecome(pet.status, status))

/** What is sold becomes pending only through available. */
const wayBack = (from: PetStatus, to: PetStatus): PetStatus[] =>
  allowedFrom(from).includes(to) ? [to] : ['available', to]

const withStatus = (page: Page<Pet>, ids: ReadonlySet<Pet['id']>, status: PetStatus): Page<Pet> => ({
  ...page,
  items: page.items.map((pet) => (ids.has(pet.id) ? { ...pet, status } : pet)),
})
