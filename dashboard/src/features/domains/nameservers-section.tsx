import { Button, Table, Text } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react'
import { type DomainDetails, evidenceAddress } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'
import { TimeAgo, timeText } from '../../parts/time.tsx'
import { useProject } from '../projects/project-context.ts'

/** Every nameserver's own answer, side by side. */
export function NameserversSection({ domain }: { domain: DomainDetails }) {
  const { slug } = useProject()
  const { lastCheck } = domain
  if (!lastCheck || lastCheck.nameservers.length === 0) return null
  const expiries = lastCheck.problems.map(({ cachesExpireBy }) => cachesExpireBy).filter((at) => at !== null)
  return (
    <Section
      flush
      title="Nameservers"
      actions={
        <Button
          component="a"
          href={evidenceAddress(slug, domain.hostname)}
          download={`${domain.hostname}.json`}
          size="xs"
          variant="subtle"
        >
          Download the evidence
        </Button>
      }
      description={
        <>
          Each one was asked by itself, <TimeAgo at={lastCheck.at} />.
        </>
      }
    >
      <Table className="rows nameservers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Nameserver</Table.Th>
            <Table.Th>Answer</Table.Th>
            <Table.Th className="only-wide">Zone serial</Table.Th>
            <Table.Th>Right?</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lastCheck.nameservers.map(({ nameserver, address, answers, serial, isRight }) => (
            <Table.Tr key={`${nameserver} ${address}`}>
              <Table.Td className="wrap-anywhere">
                <Text size="sm" fw={550}>
                  {nameserver}
                </Text>
                <Text size="xs" c="dimmed" className="mono">
                  {address}
                </Text>
              </Table.Td>
              <Table.Td className="mono wrap-anywhere answer">
                {answers.map((answer) => (
                  <div key={answer}>{answer}</div>
                ))}
              </Table.Td>
              <Table.Td className="mono only-wide">{serial ?? '–'}</Table.Td>
              <Table.Td>
                {isRight ? (
                  <span className="verdict is-right">
                    <IconCircleCheckFilled size={17} aria-hidden="true" /> yes
                  </span>
                ) : (
                  <span className="verdict is-wrong">
                    <IconCircleXFilled size={17} aria-hidden="true" /> no
                  </span>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {expiries.length > 0 && (
        <Text size="sm" c="dimmed" className="table-note">
          Caches expire by {timeText(Math.max(...expiries))} at the latest, counted from this check.
        </Text>
      )}
    </Section>
  )
}
