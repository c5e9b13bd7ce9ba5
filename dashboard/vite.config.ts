import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const service = process.env.PETSTORE_BASE_URL ? new URL(process.env.PETSTORE_BASE_URL).origin : 'http://localhost:4000'

/** What opens above a page comes when it is first asked for, however many pages have it. */
const OPENED = new RegExp(
  String.raw`[\\/](?:${[
    'ActionBar|Accordion|Checkbox|Combobox|Drawer|Floating|FocusTrap|Menu|Modal|ModalBase|Overlay|PasswordInput',
    'Popover|Portal|Radio|ScrollArea|Select|Switch|Tabs|Textarea|Tooltip|@floating-ui|react-remove-scroll',
    String.raw`choices\.tsx|form-modal\.tsx|shown-once-dialog\.tsx`,
  ].join('|')})(?:[\\/]|$)`,
)

/** What the frame has in common with one page: by itself each would be a file of half a kilobyte. */
const OF_THE_FRAME = /[:\\/](?:icon\/(?:key|paw|shopping-bag|webhook|world-www)|environment\.ts|import-mark\.ts)$/

export default defineConfig({
  root,
  plugins: [react(), icons(), preloadFont()],
  build: {
    target: ['chrome123', 'firefox135', 'safari18.4'],
    // Every file in this folder is named by its content, which is what lets browsers keep it for ever.
    assetsDir: '_app/immutable',
    // The policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // By itself 62 files make a first view. With these, which compress better as well, a dozen do.
          groups: [
            { name: 'base', tags: ['$initial'], priority: 3 },
            { name: 'frame', test: OF_THE_FRAME, priority: 2 },
            { name: 'shared', minShareCount: 3, test: (id) => !OPENED.test(id), priority: 1 },
          ],
        },
      },
    },
  },
  // `npm run dev` shows the sources as they are, in front of a service that runs beside it.
  server: { proxy: { '/platform/v1': service, '/v1': service, '/docs': service } },
})

/**
 * `virtual:icon/check` is Tabler's drawing `check` as a component: a module for each, so that a page loads those that
 * it shows. The package that has them all as components would nearly double the files that `npm ci` writes.
 */
function icons(): Plugin {
  let drawings: Promise<Record<string, { body: string }>> | undefined
  return {
    name: 'icons',
    resolveId: { filter: { id: /^virtual:icon\// }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:icon\// },
      async handler(id) {
        const name = id.slice(id.indexOf('/') + 1)
        const drawing = (await (drawings ??= readDrawings()))[name]
        if (drawing === undefined) return this.error(`Tabler has no icon ${name}.`)
        const paths = [...drawing.body.matchAll(/ d="([^"]+)"/g)].map(([, d]) => JSON.stringify(d))
        const kind = name.endsWith('-filled') ? 'filled' : 'outline'
        const code = `import { ${kind} } from '/src/icons/icon.ts'\nexport default ${kind}(${paths.join()})`
        return { code, moduleSideEffects: false }
      },
    },
  }
}

async function readDrawings(): Promise<Record<string, { body: string }>> {
  const file = fileURLToPath(import.meta.resolve('@iconify-json/tabler/icons.json'))
  return JSON.parse(await readFile(file, 'utf8')).icons
}

/** Asked for with the scripts, it is there when the first letter is drawn: no letters are drawn twice. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => file.endsWith('.woff2'))
        if (font === undefined) return []
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}
