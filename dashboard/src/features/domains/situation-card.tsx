import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import type { DomainDetails } from '../../api/domains.ts'
import { useInstallation } from '../../api/installation.ts'
import { timeText } from '../../parts/time.tsx'
import { issuerText } from './issuer-text.ts'
import { Said } from './said.tsx'
import type { Situation } from './story.ts'
import { Steps } from './steps.tsx'
import { VerifyButton } from './verify-button.tsx'
import { visitAddress, VisitButton } from './visit-button.tsx'

/** What to do, where it is not a button. */
const NEXT_STEPS: Partial<Record<Situation['next'], string>> = {
  'create record': 'Create the record below, then choose Verify.',
  'create records': 'Create both records below, then choose Verify.',
  switch: 'Change the record below when you are ready; then choose Verify, or wait: we look by ourselves.',
  'mend record': 'Make the changes below, then have it verified again.',
  'mend certificate': 'Mend what stands below, then choose Re-verify.',
}

/** Where the domain stands, in one headline, and the one thing to do next. */
export function SituationCard({ domain, situation }: { domain: DomainDetails; situation: Situation }) {
  const { headline, sentence, next, steps } = situation
  const isNext = NEXT_STEPS[next] !== undefined
  const isVisible = domain.verifiedAt !== null && domain.kind !== 'wildcard'
  return (
    <section className="card situation" aria-labelledby="situation">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} flex={1} miw="14rem" aria-live="polite">
          <Title order={2} id="situation" className="wrap-anywhere">
            {headline}
          </Title>
          <Text size="sm" c="dimmed" className="wrap-anywhere">
            <Said sentence={sentence} />
          </Text>
          {isNext && <Text size="sm">{NEXT_STEPS[next]}</Text>}
          {isVisible && <SeenFromHere domain={domain} />}
        </Stack>
        <Group gap="xs">
          {isVisible && (
            <VisitButton hostname={domain.visitName} {...(next === 'visit' ? {} : { variant: 'default' })} />
          )}
          <VerifyButton domain={domain} {...(isNext ? {} : { variant: 'default' })} />
        </Group>
      </Group>
      <Steps steps={steps} />
    </section>
  )
}

/** In local mode the address of the visit is another one, and without the certificate that the domain has. */
function SeenFromHere({ domain: { visitName, certificate } }: { domain: DomainDetails }) {
  const installation = useInstallation()
  if (!installation.sandbox) return null
  const address = visitAddress(installation, visitName)
  return (
    <Text size="sm" c="dimmed" className="wrap-anywhere">
      Only the sandbox knows this name, so your browser sees it at{' '}
      <Anchor href={address} target="_blank" rel="noopener" inherit>
        {new URL(address).host}
      </Anchor>
      .
      {certificate &&
        ` At its own address it has a certificate by ${issuerText(certificate.issuer)}, ` +
          `until ${timeText(certificate.notAfter)}.`}
    </Text>
  )
}
