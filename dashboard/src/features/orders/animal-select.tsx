import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readInt64 } from '../../../../client/src/int64.ts'
import { type Pet, petsByIdQuery, petsQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { idIn } from '../pets/look.ts'
import { useProject } from '../projects/project-context.ts'

const PAUSE_MS = 200

interface AnimalSelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  environment: Environment
  onlyAvailable?: boolean
  value: string | null
  change(id: string | null): void
  /** What became of the field that stood in its place while its code was loading. */
  early?: { text: string; hasFocus: boolean }
}

/** One of the animals, of which there may be any number: the service looks for what is typed. */
export default function AnimalSelect({
  environment,
  onlyAvailable = false,
  value,
  change,
  early,
  ...rest
}: AnimalSelectProps) {
  const { slug } = useProject()
  const [text, setText] = useState('')
  // The field below begins by emptying itself.
  useEffect(() => {
    if (early?.text) setText(early.text)
  }, [])
  const chosenId = readInt64(value ?? '')
  const chosen = useQuery(petsByIdQuery(slug, environment, chosenId === undefined ? [] : [chosenId])).data?.items[0]
  // Choosing one writes its name into the field; that is no question.
  const [wanted] = useDebouncedValue(chosen && text === labelOf(chosen) ? '' : text.trim(), PAUSE_MS)
  const id = idIn(wanted)
  const list = useQuery({
    ...petsQuery(slug, environment, {
      limit: '20',
      ...(onlyAvailable && { status: 'available' }),
      ...(wanted === '' ? { order: 'newest' } : id === undefined ? { q: wanted } : { id }),
    }),
    placeholderData: keepPreviousData,
  })
  const found = list.data?.items ?? []
  const offered = chosen && !found.some((pet) => pet.id === chosen.id) ? [chosen, ...found] : found
  return (
    <>
      <Select
        searchable
        // What is offered has been looked for already.
        filter={({ options }) => options}
        data={offered.map((pet) => ({ value: String(pet.id), label: labelOf(pet) }))}
        searchValue={text}
        onSearchChange={setText}
        value={value}
        onChange={change}
        nothingFoundMessage={list.isFetching ? 'Looking…' : 'None begins so'}
        autoFocus={early?.hasFocus ?? false}
        clearButtonProps={{ 'aria-label': 'Any animal' }}
        {...rest}
      />
      <Refusal error={list.error} />
    </>
  )
}

const labelOf = ({ id, name }: Pet) => `${name} (#${id})`
