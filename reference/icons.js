/** Strokes on a grid of 20, each icon as a list of paths. */
const ICON_PATHS = {
  check: ['M4 10.5l4 4 8-9'],
  close: ['M5 5l10 10', 'M15 5L5 15'],
  copy: [
    'M7 7V4.5a1 1 0 0 1 1-1h7.5a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H13',
    'M4.5 7H12a1 1 0 0 1 1 1v7.5a1 1 0 0 1-1 1H4.5a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z',
  ],
  dark: ['M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z'],
  download: ['M10 3v9', 'M6.5 8.5L10 12l3.5-3.5', 'M4 16h12'],
  key: ['M12.5 9.5a3.5 3.5 0 1 0-3.4-2.7L3.5 12.4V16h3v-2h2v-2l1.6-1.6a3.5 3.5 0 0 0 2.4-.9z', 'M13.2 6.8h.01'],
  light: [
    'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
    'M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18',
    'M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  ],
  link: [
    'M8.5 11.5l3-3',
    'M9.5 6l1.8-1.8a3.2 3.2 0 0 1 4.5 4.5L14 10.5',
    'M10.5 14l-1.8 1.8a3.2 3.2 0 0 1-4.5-4.5L6 9.5',
  ],
  lock: ['M6 9V6.5a4 4 0 0 1 8 0V9', 'M5 9h10v7.5H5z'],
  menu: ['M3 6h14', 'M3 10h14', 'M3 14h14'],
  play: ['M6.5 4.5v11l9-5.5z'],
  search: ['M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z', 'M13 13l4 4'],
  system: ['M3 4.5h14v9H3z', 'M7.5 17h5', 'M10 13.5V17'],
  warning: ['M10 3L18 16.5H2z', 'M10 8v4', 'M10 14.3h.01'],
}

/** @type {(name: keyof typeof ICON_PATHS) => SVGElement} */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  for (const strokes of ICON_PATHS[name]) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('d', strokes)
    svg.append(path)
  }
  return svg
}
