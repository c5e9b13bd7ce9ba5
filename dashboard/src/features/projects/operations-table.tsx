import type { Usage } from '../../api/projects.ts'
import { numberText } from '../../parts/count-text.ts'

/** Which operations the requests were for. A plain table: that of the lists would bring 28 KB of script here. */
export function OperationsTable({ usage }: { usage: Usage }) {
  const operations = usage.operations.toSorted((a, b) => b.calls - a.calls)
  if (operations.length === 0) return null
  return (
    <table className="operations">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Requests</th>
          <th scope="col">Failed</th>
        </tr>
      </thead>
      <tbody>
        {operations.map(({ operation, calls, failures }) => (
          <tr key={operation}>
            <th scope="row" className="mono">
              {operation}
            </th>
            <td className="number">{numberText(calls)}</td>
            <td className={failures === 0 ? 'number is-none' : 'number'}>{numberText(failures)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
