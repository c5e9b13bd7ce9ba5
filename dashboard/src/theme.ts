import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import { catchFocus } from './parts/give-back-focus.ts'

/** The same green as the reference's; in the dark the fifth shade carries buttons, with dark text on it. */
const pine: MantineColorsTuple = [
  '#e9f7f4',
  '#d0ece7',
  '#a5dcd3',
  '#7fd6c6',
  '#5fd4c2',
  '#2fa395',
  '#16847a',
  '#0b6b62',
  '#095850',
  '#07463f',
]

/** A warm grey, so that surfaces stay calm beside the paper colour. */
const stone: MantineColorsTuple = [
  '#f9f8f5',
  '#f2f0ea',
  '#e8e4dc',
  '#d3cdc2',
  '#b3ada2',
  '#8d877c',
  '#6b665d',
  '#4e4a43',
  '#33302b',
  '#1b1a17',
]

const brick: MantineColorsTuple = [
  '#fdecea',
  '#fad7d4',
  '#f5aea9',
  '#f59a95',
  '#e8716b',
  '#cf4d49',
  '#b9373a',
  '#a4262c',
  '#871e24',
  '#6a171c',
]

/** Fields and menus in the dark: the greens of the surfaces around them. */
const dark: MantineColorsTuple = [
  '#f2f1ed',
  '#bdbab2',
  '#a19d93',
  '#5c6663',
  '#3a4542',
  '#2a3331',
  '#1c2221',
  '#151a19',
  '#111615',
  '#0e1211',
]

const SANS =
  "'Inter Variable', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
const MONO =
  "ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** Text on and of coloured controls, from the tokens: Mantine judges contrast by the light scheme alone. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  const isRed = input.color === 'red'
  if (input.variant === 'filled') return { ...colors, color: isRed ? 'var(--red-ink)' : 'var(--accent-ink)' }
  if (input.variant === 'light' && !isRed)
    return { ...colors, background: 'var(--accent-soft)', color: 'var(--accent)' }
  if (input.variant !== 'subtle') return colors
  if (input.color === 'gray') return { ...colors, color: 'var(--ink-soft)', hover: 'var(--sunken)' }
  return {
    ...colors,
    color: isRed ? 'var(--red)' : 'var(--accent)',
    hover: isRed ? 'var(--red-soft)' : 'var(--accent-soft)',
  }
}

export const theme = createTheme({
  variantColorResolver: variantColors,
  colors: { pine, gray: stone, red: brick, dark },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 4 },
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '0.78125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  defaultRadius: 'md',
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5625rem', lg: '0.75rem', xl: '1.125rem' },
  headings: {
    fontFamily: SANS,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.45' },
    },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close the message' } } },
    Modal: {
      defaultProps: {
        radius: 'lg',
        centered: true,
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        closeButtonProps: { 'aria-label': 'Close' },
        onExitTransitionEnd: catchFocus,
      },
    },
    Menu: { defaultProps: { shadow: 'md', radius: 'md', position: 'bottom-end' } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, events: { hover: true, focus: true, touch: true } } },
    Button: { defaultProps: { size: 'sm' } },
    // Lists open when asked to, not whenever the focus passes by.
    Select: { defaultProps: { openOnFocus: false } },
    Anchor: { defaultProps: { underline: 'hover' } },
    // Nearly every field is required; the few that are not say so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
  },
})

/** Mantine's own variables, pointed at the tokens of `theme.css`. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-faint)',
    '--mantine-color-placeholder': 'var(--ink-faint)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--red)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-disabled-color': 'var(--ink-faint)',
    '--mantine-primary-color-contrast': 'var(--accent-ink)',
  },
  light: {},
  dark: {},
})
