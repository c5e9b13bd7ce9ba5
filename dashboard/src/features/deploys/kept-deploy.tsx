import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { IconAlertTriangle, IconExternalLink } from '../../icons/icons.ts'
import type { DeployResult } from '../../api/deploys.ts'
import { putAbovePages } from '../../parts/above-pages.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { publishDeploy } from './publish-deploy.ts'

/** A deploy that nobody sees yet: to be looked at, and then published or left. */
export default function KeptDeploy({ slug, result }: { slug: string; result: DeployResult }) {
  const { deploy, preview, warning, url } = result
  const [opened, setOpened] = useState(true)
  const publish = useMutation({
    mutationFn: () => publishDeploy(slug, deploy.id),
    onSuccess: () => setOpened(false),
  })
  return (
    <Modal
      opened={opened}
      onClose={() => setOpened(false)}
      onExitTransitionEnd={() => putAbovePages('deploy', null)}
      title={warning ? 'Not published: there is no index.html' : 'Ready for a look'}
    >
      <Stack gap="md">
        {warning ? (
          <Alert className="notice is-warm" icon={<IconAlertTriangle size={20} />}>
            {warning}
          </Alert>
        ) : (
          <Text size="sm">
            It is stored, and nobody sees it yet: {new URL(url).host} shows what it showed before. Look at it, and
            publish it here or later in the history.
          </Text>
        )}
        <Refusal error={publish.error} />
        <Group justify="flex-end" gap="xs">
          {preview && (
            <Button
              component="a"
              href={preview}
              target="_blank"
              rel="noopener"
              variant="default"
              rightSection={<IconExternalLink size={16} />}
            >
              Look at it
            </Button>
          )}
          <Button
            loading={publish.isPending}
            onClick={() => publish.mutate()}
            {...(warning ? { variant: 'default' } : {})}
          >
            {warning ? 'Publish anyway' : 'Publish'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
