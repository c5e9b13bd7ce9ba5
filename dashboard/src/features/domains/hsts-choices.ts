import { countText } from '../../parts/count-text.ts'

const DAY_SECONDS = 86_400

const LENGTHS = [
  [DAY_SECONDS, '1 day'],
  [30 * DAY_SECONDS, '30 days'],
  [365 * DAY_SECONDS, '1 year'],
  [730 * DAY_SECONDS, '2 years'],
] as const

export const OFF = 'off'
const TAKE_BACK = '0'

export interface HstsChoice {
  /** `off`, or seconds. */
  value: string
  label: string
  about: string
}

/** What can be chosen now; taking back makes sense only after it was on. */
export function hstsChoices(current: number | null): HstsChoice[] {
  const isOn = current !== null && current > 0
  const lengths = LENGTHS.map(([seconds]) => seconds as number)
  const all = isOn && !lengths.includes(current) ? [...lengths, current].toSorted((a, b) => a - b) : lengths
  return [
    {
      value: OFF,
      label: 'Off',
      about:
        current === null
          ? 'No header is sent.'
          : 'No header is sent any more. Browsers that remember it keep to it until their time is over.',
    },
    ...(current === null
      ? []
      : [
          {
            value: TAKE_BACK,
            label: 'Take it back',
            about: 'Sends max-age=0: a browser forgets it at its next visit.',
          },
        ]),
    ...all.map((seconds) => ({
      value: String(seconds),
      label: lengthText(seconds),
      about: ABOUT[seconds] ?? 'As it is set now.',
    })),
  ]
}

const ABOUT: Record<number, string> = {
  [DAY_SECONDS]: 'Begin here: a mistake is over tomorrow.',
  [30 * DAY_SECONDS]: 'When a day has gone well.',
  [365 * DAY_SECONDS]: 'When HTTPS is here to stay.',
  [730 * DAY_SECONDS]: 'The longest that is on offer.',
}

export const lengthText = (seconds: number): string =>
  LENGTHS.find(([known]) => known === seconds)?.[1] ?? countText(seconds, 'second')
