import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type PlatformCertificate, platformCertificatesQuery } from '../../api/operator.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag, type Tone } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'

const COLUMNS: Column<PlatformCertificate>[] = [
  {
    head: 'Names',
    className: 'wrap-anywhere',
    cell: ({ names }) =>
      names.map((name) => (
        <Text key={name} size="sm" fw={550}>
          {name}
        </Text>
      )),
  },
  {
    head: 'State',
    cell: (certificate) => {
      const [tone, text] = stateOf(certificate)
      return <Tag tone={tone}>{text}</Tag>
    },
  },
  {
    head: 'Authority',
    className: 'wrap-anywhere',
    cell: ({ source, authority, issuer }) => (
      <>
        <Text size="sm">{SOURCES[source] ?? authority}</Text>
        {issuer && (
          <Text size="xs" c="dimmed">
            {issuer}
          </Text>
        )}
      </>
    ),
  },
  { head: 'Until', cell: ({ notAfter }) => (notAfter ? <TimeAgo at={notAfter} /> : '–') },
  {
    head: 'Renewal',
    cell: ({ source, renewAt, nextAttemptAt }) => {
      if (source === 'file') return 'when the files are replaced'
      const at = nextAttemptAt ?? renewAt
      return at ? <TimeAgo at={at} /> : '–'
    },
  },
  {
    head: 'Last failure',
    className: 'wrap-anywhere',
    cell: ({ lastFailure }) =>
      lastFailure ? (
        <>
          <Text size="sm">{lastFailure.message}</Text>
          {lastFailure.at && (
            <Text size="xs" c="dimmed">
              <TimeAgo at={lastFailure.at} />
            </Text>
          )}
        </>
      ) : (
        'none'
      ),
  },
]

const SOURCES: Partial<Record<PlatformCertificate['source'], string>> = {
  file: 'Your own files',
  internal: 'Internal CA',
  missing: 'None yet',
}

function stateOf({ source, notAfter, lastFailure }: PlatformCertificate): readonly [Tone, string] {
  if (source === 'missing') return lastFailure ? ['red', 'missing'] : ['blue', 'ordered']
  if (notAfter && Date.parse(notAfter) < Date.now()) return ['red', 'ended']
  return lastFailure ? ['warm', 'renewal fails'] : ['green', 'good']
}

/** What the two addresses and the projects' own names are certified with. */
export function CertificatesSection() {
  return (
    <Section
      flush
      title="Certificates of the platform"
      description={
        'Of the two addresses, and of the names at which projects are published. ' +
        'Those of custom domains stand on the pages of their projects.'
      }
    >
      <QueryGuard query={useQuery(platformCertificatesQuery)}>
        {(certificates) => (
          <DataTable
            className="rows card-rows"
            columns={COLUMNS}
            items={certificates}
            keyOf={({ names }) => names.join(' ')}
            waitingRows={2}
            empty="Nobody has come over HTTPS yet: the internal CA makes a certificate at the first visit."
          />
        )}
      </QueryGuard>
    </Section>
  )
}
