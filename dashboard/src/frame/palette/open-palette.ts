let opener = () => {}

/** For buttons: the frame around every page has the palette. */
export const openPalette = () => opener()

export function paletteOpener(open: () => void): () => void {
  opener = open
  return () => {
    opener = () => {}
  }
}
