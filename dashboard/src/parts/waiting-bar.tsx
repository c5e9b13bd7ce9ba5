interface WaitingBarProps {
  height: number
  width?: number | string
  /** Round as a card is. */
  isCard?: boolean
}

/** In place of what is to come. One of Mantine's is a layer of its own for the graphics, and a page has forty. */
export function WaitingBar({ height, width = '100%', isCard = false }: WaitingBarProps) {
  return <span className={isCard ? 'waiting-bar is-card' : 'waiting-bar'} style={{ height, width }} />
}
