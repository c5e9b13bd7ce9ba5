import { CodeBlock } from '../../parts/code-block.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { SecretCard } from '../../parts/secret-card.tsx'
import type { Secret } from '../../parts/shown-once.tsx'

const SAMPLE = `import { verifyWebhook } from 'petstore-client/webhooks'

const event = await verifyWebhook(
  process.env.WEBHOOK_SECRET, request.headers, await request.text())`

export const secretOnce = (title: string, secret: string, opener?: Opener): Secret => ({
  title,
  content: (close) => <SecretOnce secret={secret} close={close} />,
  opener,
})

function SecretOnce({ secret, close }: { secret: string; close(): void }) {
  const note = 'Whoever receives the events needs it to know that they come from here.'
  return (
    <SecretCard secret={secret} what="secret" note={note} close={close}>
      <CodeBlock label="Verify in TypeScript" what="the code" code={SAMPLE} />
    </SecretCard>
  )
}
