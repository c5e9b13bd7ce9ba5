import { Text } from '@mantine/core'
import { countText } from '../../../parts/count-text.ts'
import { ERRORS_SHOWN, type Judged } from './use-judged.ts'

/** Where to mend the file, row by row. */
export function RowErrors({ judged: { errors, bad } }: { judged: Judged }) {
  return (
    <div className="import-errors" role="region" aria-label="Rows with errors" tabIndex={0}>
      <ul>
        {errors.map(({ line, why, text }) => (
          <li key={line}>
            <Text size="sm" className="import-error">
              Line {line}: {why}
            </Text>
            <Text size="xs" c="dimmed" className="mono wrap-anywhere" lineClamp={1}>
              {text}
            </Text>
          </li>
        ))}
      </ul>
      {bad > ERRORS_SHOWN && (
        <Text size="sm" c="dimmed">
          And {countText(bad - ERRORS_SHOWN, 'more row', 'more rows')}.
        </Text>
      )}
    </div>
  )
}
