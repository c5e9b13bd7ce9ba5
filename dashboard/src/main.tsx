import './mantine.css'
import '@mantine/notifications/styles.layer.css'
import './theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { loadFirstView } from './first-view.ts'
import { queryClient } from './query-client.ts'
import { styleNonce } from './style-nonce.ts'
import { cssVariables, theme } from './theme.ts'

// What could not be loaded is told by what is drawn then.
void loadFirstView(location.pathname).then(draw, draw)

function draw(): void {
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
        deduplicateInlineStyles
      >
        <QueryClientProvider client={queryClient}>
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
