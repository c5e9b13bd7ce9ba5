import { CodeBlock } from '../../parts/code-block.tsx'
import { SecretCard } from '../../parts/secret-card.tsx'

const SAMPLE = `import { verifyWebhook } from 'petstore-client/webhooks'

const event = await verifyWebhook(
  process.env.WEBHOOK_SECRET, request.headers, await request.text())`

export function SecretOnce({ secret, close }: { secret: string; close(): void }) {
  const note = 'Whoever receives the events needs it to know that they come from here.'
  return (
    <SecretCard secret={secret} what="secret" note={note} close={close}>
      <CodeBlock label="Verify in TypeScript" what="the code" code={SAMPLE} />
    </SecretCard>
  )
}
