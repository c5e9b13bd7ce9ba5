import type { NewKey } from '../../api/keys.ts'
import { SecretCard } from '../../parts/secret-card.tsx'
import { Snippets } from './snippets.tsx'

export function NewKeyOnce({ minted: { key, environment }, close }: { minted: NewKey; close(): void }) {
  const note = 'Petstore keeps only a fingerprint of it and cannot show it again.'
  return (
    <SecretCard secret={key} what="key" note={note} close={close}>
      <Snippets environment={environment} apiKey={key} />
    </SecretCard>
  )
}
