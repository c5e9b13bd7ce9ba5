import type { NewToken } from '../../api/tokens.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { SecretCard } from '../../parts/secret-card.tsx'
import type { Secret } from '../../parts/shown-once.tsx'

interface NewTokenOnceProps {
  minted: NewToken
  /** Of the project, which the example names. */
  slug: string
  close(): void
}

export const newTokenOnce = (minted: NewToken, slug: string, opener: Opener): Secret => ({
  title: 'Your new token',
  content: (close) => <NewTokenOnce minted={minted} slug={slug} close={close} />,
  opener,
})

function NewTokenOnce({ minted: { token, scopes }, slug, close }: NewTokenOnceProps) {
  const note = 'Petstore keeps only a fingerprint of it and cannot show it again.'
  return (
    <SecretCard secret={token} what="token" note={note} close={close}>
      {scopes.includes('deploys:write') && (
        <CodeBlock
          label="Publish from a pipeline"
          what="the commands"
          code={`tar -czf site.tar.gz -C dist .
curl --fail-with-body --data-binary @site.tar.gz \\
  -H "Authorization: Bearer $PETSTORE_TOKEN" -H 'Content-Type: application/gzip' \\
  ${location.origin}/platform/v1/projects/${slug}/deploys/archive`}
        />
      )}
    </SecretCard>
  )
}
