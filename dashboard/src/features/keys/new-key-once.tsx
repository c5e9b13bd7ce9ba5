import type { NewKey } from '../../api/keys.ts'
import type { Opener } from '../../parts/give-back-focus.ts'
import { SecretCard } from '../../parts/secret-card.tsx'
import type { Secret } from '../../parts/shown-once.tsx'
import { Snippets } from './snippets.tsx'

export const newKeyOnce = (minted: NewKey, opener: Opener): Secret => ({
  title: 'Your new key',
  content: (close) => <NewKeyOnce minted={minted} close={close} />,
  opener,
})

function NewKeyOnce({ minted: { key, environment }, close }: { minted: NewKey; close(): void }) {
  const note = 'Petstore keeps only a fingerprint of it and cannot show it again.'
  return (
    <SecretCard secret={key} what="key" note={note} close={close}>
      <Snippets environment={environment} apiKey={key} />
    </SecretCard>
  )
}
