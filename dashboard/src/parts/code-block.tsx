import { CopyIcon } from './copy.tsx'

/** Text for a terminal or an editor, as it is to be pasted. */
export function CodeBlock({ code, what, label }: { code: string; what: string; label?: string }) {
  return (
    <div className="code-block">
      {/* Reachable by keyboard, because long lines scroll. */}
      <pre tabIndex={0} aria-label={label ?? what}>
        <code>{code}</code>
      </pre>
      <div className="code-copy">
        <CopyIcon value={code} what={what} />
      </div>
    </div>
  )
}
