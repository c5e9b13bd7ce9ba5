import '@mantine/dropzone/styles.layer.css'
import './import.css'
import { Modal, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useState } from 'react'
import { IconFileImport } from '../../../icons/icons.ts'
import type { Environment } from '../../../api/projects.ts'
import { giveBackFocus, type Opener } from '../../../parts/give-back-focus.ts'
import { sizeText } from '../../../parts/size-text.ts'
import { Refusal } from '../../../parts/trouble.tsx'
import { ImportPreview } from './import-preview.tsx'
import { useRunningImport } from './imports.ts'
import { formatOf, readFile, type ReadFile } from './read-file.ts'

/** What a browser reads at once without a pause; more is for the command line, which reads a file row by row. */
const BYTES_MAX = 64_000_000

interface ImportDialogProps {
  environment: Environment
  opened: boolean
  close(): void
  opener: Opener
}

export default function ImportDialog({ environment, opened, close, opener }: ImportDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Import animals into ${environment}`}
      size="xl"
      {...giveBackFocus(opener)}
    >
      <ImportSteps environment={environment} close={close} />
    </Modal>
  )
}

/** Lives as long as the dialog is open. */
function ImportSteps({ environment, close }: { environment: Environment; close(): void }) {
  const running = useRunningImport()
  const [chosen, setChosen] = useState<{ file: File; read: ReadFile } | null>(null)
  const [error, setError] = useState<unknown>(null)
  if (running) {
    return (
      <Text size="sm">The import of {running.job.name} is under way. The next one can begin when it has ended.</Text>
    )
  }
  if (chosen) return <ImportPreview {...chosen} environment={environment} back={() => setChosen(null)} close={close} />
  const choose = async (file: File) => {
    setError(null)
    try {
      setChosen({ file, read: await readWhole(file) })
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        A CSV file with the names of its columns in the first line, or NDJSON with one animal a line. You see every row
        that is refused before anything is added.
      </Text>
      <Dropzone
        className="import-drop"
        multiple={false}
        onDrop={([file]) => file && void choose(file)}
        enablePointerEvents
        aria-label="Choose a file of animals, or drop one here"
        inputProps={{ 'aria-label': 'File of animals' }}
      >
        <Stack align="center" gap={6} py="lg">
          <IconFileImport size={30} stroke={1.5} aria-hidden="true" />
          <Text fw={600}>Drop a file here, or choose one</Text>
          <Text size="sm" c="dimmed" ta="center">
            .csv, .ndjson or .jsonl up to {sizeText(BYTES_MAX)}. Larger ones: petstore import
          </Text>
        </Stack>
      </Dropzone>
      <Refusal error={error} />
    </Stack>
  )
}

async function readWhole(file: File): Promise<ReadFile> {
  if (file.size > BYTES_MAX) {
    const size = `${file.name} has ${sizeText(file.size)}, more than the ${sizeText(BYTES_MAX)} that a browser reads`
    throw new Error(`${size}. Use the command: petstore import`)
  }
  const text = await decoded(file)
  const read = readFile(formatOf(file.name, text), text)
  if (read.rows.length === 0) throw new Error(`There is no animal in ${file.name}.`)
  return read
}

async function decoded(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw new Error(`${file.name} is not valid UTF-8. Save it as UTF-8, and choose it again.`)
  }
}
