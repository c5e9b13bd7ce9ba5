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

/** For the tests of a file: it starts in 0.3 s of a processor. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(options())
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
