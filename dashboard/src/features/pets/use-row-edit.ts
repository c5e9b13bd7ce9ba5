import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { readInt64 } from '../../../../client/src/int64.ts'
import type { PetPatch } from '../../../../client/src/platform/platform.ts'
import { messageOf } from '../../api/platform.ts'
import { changePet, type Pet } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface Draft {
  pet: Pet
  name: string
  category: string
}

/** What a row lets people type; the status has a menu of its own. A field of the contract left out does not compile. */
type Typed = Required<Omit<PetPatch, 'status'>>

/** Only what somebody has typed anew: others may have changed the rest since. */
interface Change {
  draft: Draft
  changed: Partial<Typed>
}

export type RowEdit = ReturnType<typeof useRowEdit>

/** One row at a time turns into fields. */
export function useRowEdit(environment: Environment) {
  const { slug } = useProject()
  const [draft, setDraft] = useState<Draft | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['projects', slug] })
  // Enter twice comes before the first is drawn as being on its way.
  const underWay = useRef(new Set<Pet['id']>())
  const end = (ended: Draft, saved: Partial<Typed> = {}) => {
    const { id } = ended.pet
    let isOurs = false
    flushSync(() =>
      setDraft((now) => {
        isOurs = now === ended
        if (isOurs || now === null) return null
        // Somebody has gone on while it was saved, in another row or in this one, which differs from what is there now.
        return now.pet.id === id ? { ...now, pet: { ...now.pet, ...saved } } : now
      }),
    )
    // The fields are gone, and the focus would be with them.
    if (isOurs) document.querySelector<HTMLElement>(`[data-edit="${id}"]`)?.focus()
  }
  const save = useMutation({
    mutationFn: ({ draft: { pet }, changed }: Change) =>
      changePet(slug, environment, pet.id, changed).finally(() => underWay.current.delete(pet.id)),
    onSuccess: async (saved, { draft: sent, changed }) => {
      const { pet } = sent
      end(sent, changed)
      await refresh()
      const before = ofThese(changed, pet)
      sayWithUndo(`${saved.name} has been changed.`, async () => {
        await changePet(slug, environment, pet.id, before)
        await refresh()
      })
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The animal was not changed', message: messageOf(error) }),
  })
  const fields = draft && typedIn(draft)
  return {
    draft,
    isComplete: fields !== null,
    isSaving: save.isPending && save.variables.draft.pet.id === draft?.pet.id,
    start: (pet: Pet) => setDraft({ pet, name: pet.name, category: String(pet.categoryId) }),
    type: (changed: Partial<Draft>) => setDraft((known) => known && { ...known, ...changed }),
    cancel: () => draft && end(draft),
    save: () => {
      if (!draft || !fields || underWay.current.has(draft.pet.id)) return
      const changed = differing(fields, draft.pet)
      if (Object.keys(changed).length === 0) return end(draft)
      underWay.current.add(draft.pet.id)
      save.mutate({ draft, changed })
    },
  }
}

function typedIn({ name, category }: Draft): Typed | null {
  const categoryId = readInt64(category)
  return name.trim() === '' || categoryId === undefined ? null : { name, categoryId }
}

function differing(typed: Typed, pet: Pet): Partial<Typed> {
  const fields = Object.entries(typed).filter(([field, value]) => value !== pet[field as keyof Typed])
  return Object.fromEntries(fields)
}

const ofThese = (changed: Partial<Typed>, pet: Pet): Partial<Typed> =>
  Object.fromEntries(Object.keys(changed).map((field) => [field, pet[field as keyof Typed]]))
