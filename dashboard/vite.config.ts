import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const service = process.env.PETSTORE_BASE_URL ? new URL(process.env.PETSTORE_BASE_URL).origin : 'http://localhost:4000'

export default defineConfig({
  root,
  plugins: [react()],
  build: {
    target: ['chrome123', 'firefox135', 'safari18.4'],
    // Every file in this folder is named by its content, which is what lets browsers keep it for ever.
    assetsDir: '_app/immutable',
    // The policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
  // `npm run dev` shows the sources as they are, in front of a service that runs beside it.
  server: { proxy: { '/platform/v1': service, '/v1': service, '/docs': service } },
})
