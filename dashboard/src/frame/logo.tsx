/** The paw. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="logo">
      <rect width="32" height="32" rx="8.5" fill="#0f766e" />
      <g fill="#fff">
        <ellipse cx="9" cy="14.2" rx="2.5" ry="3.2" />
        <ellipse cx="13.4" cy="9.4" rx="2.5" ry="3.3" />
        <ellipse cx="18.6" cy="9.4" rx="2.5" ry="3.3" />
        <ellipse cx="23" cy="14.2" rx="2.5" ry="3.2" />
        <path d="M16 14.6c-3.4 0-7 4-7 7 0 2 1.5 3 3.2 3 1.5 0 2.4-.7 3.8-.7s2.3.7 3.8.7c1.7 0 3.2-1 3.2-3 0-3-3.6-7-7-7z" />
      </g>
    </svg>
  )
}
