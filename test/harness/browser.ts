import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { HUNG_AFTER_MS } from './until.ts'

/** Draws no window around its pages, and so needs less of a processor for each. */
const SHELL = 'chromium-headless-shell'
const KNOWN_PLACES = [
  `/usr/bin/${SHELL}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export interface SharedBrowser extends AsyncDisposable {
  readonly browser: Browser
}

let running: Promise<Browser> | undefined
let users = 0

/**
 * The one browser of this process, which the last one who lets go of it closes: whoever opens windows in it does so in
 * a context of their own. To start one and to end it takes half a second of a processor.
 */
export async function shareBrowser(): Promise<SharedBrowser> {
  users++
  running ??= launch()
  try {
    return { browser: await running, [Symbol.asyncDispose]: letGo }
  } catch (error) {
    await letGo()
    throw error
  }
}

async function letGo(): Promise<void> {
  if (--users > 0) return
  const last = await running?.catch(() => undefined)
  await last?.close()
}

/** One that has died, or never lived, fails those who have it, and not who comes after them. */
async function launch(): Promise<Browser> {
  try {
    const browser = await chromium.launch(options())
    return browser.once('disconnected', () => (running = undefined))
  } catch (error) {
    running = undefined
    throw error
  }
}

/** What lies ready under the address bar of each window, which nobody sees: 1.1 s of a processor for every visit. */
const OWN_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** Chromium takes the last list only: what Playwright 1.65 switches off itself. */
const AS_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Chromium with nothing of its own to say to the network; sandbox names lead to this machine. */
const options = () => ({
  executablePath: chromiumPath(),
  timeout: HUNG_AFTER_MS,
  // Who is told to end ends, and the browser with them, by the pipe between the two. Playwright would close it alone.
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    // What composes the pages needs no process of its own.
    '--in-process-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--force-color-profile=srgb',
    `--disable-features=${[...OWN_PAGES, ...AS_PLAYWRIGHT].join(',')}`,
    '--host-resolver-rules=MAP *.localhost 127.0.0.1, MAP *.test 127.0.0.1',
  ],
})

function chromiumPath(): string {
  const known = [process.env.CHROMIUM_PATH ?? '', ...KNOWN_PLACES]
  const found = () => known.find((path) => path !== '' && existsSync(path))
  if (found() === undefined && process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', SHELL], { stdio: 'ignore' })
  }
  const path = found()
  if (path === undefined) {
    throw new Error(
      `This needs Chromium: install it (on Debian: apt-get install ${SHELL}), or name it in CHROMIUM_PATH.`,
    )
  }
  return path
}
