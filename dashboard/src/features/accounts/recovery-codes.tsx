import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconEyeOff } from '../../icons/icons.ts'
import { CopyButton } from '../../parts/copy.tsx'
import type { Secret } from '../../parts/shown-once.tsx'

export const recoveryCodesOnce = (codes: readonly string[]): Secret => ({
  title: 'Your recovery codes',
  content: (close) => <RecoveryCodes codes={codes} close={close} />,
})

/** The only moment at which they can be read. */
function RecoveryCodes({ codes, close }: { codes: readonly string[]; close(): void }) {
  const text = codes.join('\n')
  return (
    <Stack gap="md">
      <Alert className="notice is-warm" icon={<IconEyeOff size={20} />} title="Keep your recovery codes">
        Each of them signs you in once when you have lost your device. They are shown this once: print them, or put them
        into your password manager.
      </Alert>
      <ul className="recovery-codes mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton value={text} what="the recovery codes" data-autofocus>
            Copy
          </CopyButton>
          <Button
            variant="default"
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="petstore-recovery-codes.txt"
          >
            Download
          </Button>
        </Group>
        <Button onClick={close}>I have stored them</Button>
      </Group>
    </Stack>
  )
}
