import { encode } from 'uqr'

/** A QR code, drawn in place: the page's policy loads no pictures from data. */
export function SetupPicture({ uri }: { uri: string }) {
  const { data, size } = encode(uri)
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x},${y}h1v1h-1z` : [])))
  return (
    <svg
      className="setup-picture"
      role="img"
      aria-label="A picture for the authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
