import { Anchor } from '@mantine/core'
import type { Environment } from '../../api/projects.ts'
import { Section } from '../../parts/section.tsx'
import { Snippets } from './snippets.tsx'

export function TryIt({ environment }: { environment: Environment }) {
  return (
    <Section
      title="Try it"
      description="Put a key of this environment in the place of PETSTORE_KEY."
      actions={
        <Anchor href="/docs/animals/" target="_blank" rel="noopener" size="sm">
          Every operation, with a panel to try it
        </Anchor>
      }
    >
      <Snippets environment={environment} />
    </Section>
  )
}
