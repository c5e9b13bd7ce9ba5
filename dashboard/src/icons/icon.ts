import { type ComponentProps, createElement, type ReactElement } from 'react'

interface IconProps extends Omit<ComponentProps<'svg'>, 'stroke'> {
  /** Of either side, in pixels. */
  size?: number
  /** How wide the lines are, in units of the drawing, which is 24 wide. */
  stroke?: number
}

export type Icon = (props: IconProps) => ReactElement

export function outline(...lines: string[]): Icon {
  return ({ size = 24, stroke = 2, color = 'currentColor', ...rest }) =>
    draw(lines, size, {
      fill: 'none',
      stroke: color,
      strokeWidth: stroke,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      ...rest,
    })
}

export function filled(...areas: string[]): Icon {
  return ({ size = 24, stroke: _, color = 'currentColor', ...rest }) => draw(areas, size, { fill: color, ...rest })
}

function draw(paths: string[], size: number, looks: ComponentProps<'svg'>): ReactElement {
  const drawn = paths.map((d) => createElement('path', { d }))
  return createElement('svg', { width: size, height: size, viewBox: '0 0 24 24', ...looks }, ...drawn)
}
