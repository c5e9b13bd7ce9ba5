const letters = new Intl.Segmenter()

/** The first letter as people count them: an emoji, or a letter with its accents, is one. */
export const initialOf = (name: string): string =>
  letters.segment(name.trim())[Symbol.iterator]().next().value?.segment.toUpperCase() ?? ''
