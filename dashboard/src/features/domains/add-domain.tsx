import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { addDomain, domainQuery, domainsKey } from '../../api/domains.ts'
import { useInstallation } from '../../api/installation.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

export function AddDomain({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <Modal opened={opened} onClose={close} title="Add domain">
      <Fields close={close} />
    </Modal>
  )
}

function Fields({ close }: { close(): void }) {
  const { slug } = useProject()
  const { sandbox } = useInstallation()
  const [, go] = useLocation()
  const [hostname, setHostname] = useState('')
  const add = useMutation({
    mutationFn: () => addDomain(slug, hostname),
    onSuccess: (domain) => {
      queryClient.setQueryData(domainQuery(slug, domain.hostname).queryKey, domain)
      void queryClient.invalidateQueries({ queryKey: domainsKey(slug), exact: true })
      close()
      go(`/projects/${slug}/settings/domains/${domain.hostname}`)
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Domain or subdomain"
          description="In whatever form you have it: we find the name in a pasted address too."
          placeholder={sandbox ? 'www.example.test' : 'www.example.com'}
          required
          data-autofocus
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          value={hostname}
          onChange={(event) => setHostname(event.currentTarget.value)}
        />
        <Refusal error={add.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending} disabled={hostname.trim() === ''}>
            Add domain
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
