import { Tabs } from '@mantine/core'
import { useInstallation } from '../../api/installation.ts'
import type { Environment } from '../../api/projects.ts'
import { CodeBlock } from '../../parts/code-block.tsx'

interface SnippetsProps {
  environment: Environment
  /** Without one, the place where it goes. */
  apiKey?: string
}

/** The first two requests, ready to paste. */
export function Snippets({ environment, apiKey }: SnippetsProps) {
  const { addresses } = useInstallation()
  const address = addresses[environment]
  return (
    <Tabs defaultValue="curl" variant="pills" radius="xl" classNames={{ tab: 'pill-tab' }}>
      <Tabs.List mb="xs">
        <Tabs.Tab value="curl">curl</Tabs.Tab>
        <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="curl">
        <CodeBlock what="the curl commands" code={curlOf(address, apiKey ?? '$PETSTORE_KEY')} />
      </Tabs.Panel>
      <Tabs.Panel value="typescript">
        <CodeBlock
          what="the TypeScript code"
          code={typescriptOf(address, apiKey ? `'${apiKey}'` : 'process.env.PETSTORE_KEY')}
        />
      </Tabs.Panel>
    </Tabs>
  )
}

const curlOf = (address: string, key: string) => `# Add an animal
curl ${address}/pets \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Rex", "categoryId": 1}'

# List those that are available
curl "${address}/pets?status=available" \\
  -H "Authorization: Bearer ${key}"`

const typescriptOf = (address: string, key: string) => `import { createPetstore } from 'petstore-client'

const petstore = createPetstore({
  baseUrl: '${address}',
  key: ${key},
})

const rex = await petstore.pets.create({ name: 'Rex', categoryId: 1 })

for await (const pet of petstore.pets.list({ status: 'available' })) {
  console.log(pet.id, pet.name)
}`
