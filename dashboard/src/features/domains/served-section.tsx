import { Alert, Anchor, Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { IconChevronDown, IconCircleCheck, IconLock, IconLockOpen, IconRadar } from '../../icons/icons.ts'
import { checkServed, type DomainDetails, type Hop, type LiveCheck } from '../../api/domains.ts'
import { useInstallation } from '../../api/installation.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { countText } from '../../parts/count-text.ts'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { timeText } from '../../parts/time.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { useProject } from '../projects/project-context.ts'
import { issuerText } from './issuer-text.ts'
import { visitAddress } from './visit-button.tsx'

/** What a visitor with empty caches meets at this moment. */
export function ServedSection({ domain }: { domain: DomainDetails }) {
  const { slug } = useProject()
  const installation = useInstallation()
  const { sandbox, httpsPort } = installation
  const look = useMutation({ mutationFn: () => checkServed(slug, domain.hostname) })
  return (
    <Section
      title="What is served"
      description={
        'The real answers, hop by hop, without any cache: headers, redirects and the certificate.' +
        (domain.kind === 'wildcard' ? ` ${domain.visitName} is asked, as one of the names that it stands for.` : '')
      }
      actions={
        <Button
          variant="default"
          leftSection={<IconRadar size={16} />}
          loading={look.isPending}
          onClick={() => look.mutate()}
        >
          Check what is served
        </Button>
      }
    >
      {sandbox && (
        <Stack gap="xs" mb={look.data ? 'md' : 0}>
          <Text size="sm" c="dimmed">
            Only the sandbox knows this name. Your browser sees the site at{' '}
            <Anchor href={visitAddress(installation, domain.visitName)} target="_blank" rel="noopener" inherit>
              {new URL(visitAddress(installation, domain.visitName)).host}
            </Anchor>
            , without the certificate that the domain itself has. This shows it with it:
          </Text>
          <CodeBlock what="the command" code={curlOf(domain.visitName, httpsPort)} />
        </Stack>
      )}
      <Refusal error={look.error} />
      <div aria-live="polite">{look.data && <Findings check={look.data} />}</div>
    </Section>
  )
}

/** Without a name server, and without trust in the root of the installation's own authority. */
const curlOf = (hostname: string, port: number) =>
  `curl --insecure --resolve ${hostname}:${port}:127.0.0.1 https://${hostname}:${port}/`

function Findings({ check }: { check: LiveCheck }) {
  return (
    <Stack gap="md">
      {check.agrees ? (
        <Alert className="notice is-green" icon={<IconCircleCheck size={20} />} title="As it should be">
          What is served is what is stored here, checked {timeText(check.at)}.
        </Alert>
      ) : (
        check.findings.map(({ code, message, fix }) => (
          <Alert key={code} className="notice is-warm" title={message}>
            {fix}
          </Alert>
        ))
      )}
      <ol className="hops">
        {check.hops.map((hop) => (
          <HopItem key={hop.url} hop={hop} />
        ))}
      </ol>
    </Stack>
  )
}

function HopItem({ hop }: { hop: Hop }) {
  const [opened, { toggle }] = useDisclosure(false)
  const { url, status, address, error, durationMs, headers, certificate } = hop
  const isSecure = url.startsWith('https:')
  return (
    <li className="hop">
      <Group gap={8}>
        {isSecure ? <IconLock size={16} aria-label="HTTPS" /> : <IconLockOpen size={16} aria-label="plain HTTP" />}
        <span className="mono wrap-anywhere">{url}</span>
        {status !== null && <Tag tone={status < 300 ? 'green' : status < 400 ? 'blue' : 'red'}>{status}</Tag>}
        <Text size="xs" c="dimmed">
          {[address, `${Math.round(durationMs)} ms`].filter(Boolean).join(', ')}
        </Text>
      </Group>
      {error !== null && (
        <Text size="sm" c="var(--red)">
          {error}
        </Text>
      )}
      {certificate && (
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          Certificate for {certificate.names.join(', ')}, by {issuerText(certificate.issuer)}, until{' '}
          {timeText(certificate.notAfter)}
          {certificate.distrust ? ` (${certificate.distrust})` : ''}
        </Text>
      )}
      {headers.length > 0 && (
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={toggle}
            aria-expanded={opened}
            rightSection={<IconChevronDown size={13} className={opened ? 'turned' : undefined} />}
          >
            {countText(headers.length, 'header')}
          </Button>
          <Collapse expanded={opened}>
            <pre className="evidence" tabIndex={0} aria-label={`Headers of ${url}`}>
              {headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            </pre>
          </Collapse>
        </div>
      )}
    </li>
  )
}
