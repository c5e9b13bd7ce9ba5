import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { ensureDashboard } from '../../src/pages/dashboard-build.ts'
import { shareBrowser, type SharedBrowser } from '../harness/browser.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { HUNG_AFTER_MS } from '../harness/until.ts'
import { open, settled } from './every-page.ts'
import { watch, type Watched } from './watched-page.ts'

export const WINDOW = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }
export const PASSWORD = 'correct horse battery'
export const OWNER = { name: 'Ada Example', email: 'ada@example.com' }

export interface VisitOptions extends BrowserContextOptions {
  /** As somebody whom this browser does not know. */
  signedOut?: boolean
}

export interface Visit extends Watched, AsyncDisposable {
  readonly page: Page
}

/** The whole service with its built pages, a browser, and the owner's cookies once there is an owner. */
export class Dashboard implements AsyncDisposable {
  readonly shop: TestPetstore
  readonly origin: string
  readonly #shared: SharedBrowser
  #cookies: Parameters<BrowserContext['addCookies']>[0] = []
  #kept: Page | undefined

  constructor(shop: TestPetstore, shared: SharedBrowser) {
    this.shop = shop
    this.#shared = shared
    this.origin = shop.config.baseUrl.origin
  }

  /** A window of its own. */
  async visit(options: VisitOptions = {}): Promise<Visit> {
    const page = await this.#openWindow(options)
    return { page, ...watch(page, this.origin), [Symbol.asyncDispose]: () => page.context().close() }
  }

  /**
   * The owner's window of the test before, whose scripts are there and compiled: half of the cost of a new one. With a
   * path it goes there as a click would, and loads the page only where there is none that it can leave.
   */
  async visitAgain(path?: string): Promise<Visit> {
    if (this.#kept === undefined || this.#kept.isClosed()) this.#kept = await this.#openWindow({})
    const page = this.#kept
    const watched = watch(page, this.origin)
    if (path !== undefined) await this.#goTo(page, path)
    return { page, ...watched, [Symbol.asyncDispose]: () => leave(page, watched) }
  }

  async #goTo(page: Page, path: string): Promise<void> {
    const [pathname = ''] = path.split('?')
    const shown = await page.evaluate<string | undefined>(SHOWN_PATH)
    if (shown === undefined) {
      await page.goto(this.origin + path)
      return settled(page, pathname)
    }
    // A page that is left keeps nothing; one that is only asked for again keeps what was typed into it.
    if (shown === pathname) await open(page, ELSEWHERE)
    await open(page, path)
  }

  async #openWindow({ signedOut = false, ...options }: VisitOptions): Promise<Page> {
    const context = await this.#shared.browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(HUNG_AFTER_MS)
    if (!signedOut) await context.addCookies(this.#cookies)
    const page = await context.newPage()
    // What lies behind a dialog is blurred otherwise: 100 ms of a processor for every frame. Playwright has no option.
    const devtools = await context.newCDPSession(page)
    const features = [{ name: 'prefers-reduced-transparency', value: 'reduce' }]
    await devtools.send('Emulation.setEmulatedMedia', { features })
    return page
  }

  /** Opens the link of the first start and creates the owner's account. */
  async signUpOwner(page: Page): Promise<void> {
    await page.goto(this.shop.petstore.ownerLink as string)
    await page.getByLabel('Your name').fill(OWNER.name)
    await page.getByLabel('E-mail address').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/projects/petstore')
    this.#cookies = await page.context().cookies(this.origin)
  }

  /** The same without a page: opening one takes a second of a processor. */
  async becomeOwner(): Promise<void> {
    const token = this.shop.petstore.ownerLink?.split('#')[1]
    const { headers } = await this.#send('/sign-up', 'POST', { ...OWNER, password: PASSWORD, token })
    this.#cookies = headers.getSetCookie().map((line) => {
      const [name = '', value = ''] = line.split(';', 1)[0]!.split('=')
      return { name, value, url: this.origin, httpOnly: true, sameSite: 'Lax' }
    })
  }

  /** A request to the dashboard API in the owner's name. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape is proved elsewhere
  async api(path: string, method = 'GET', body: unknown = {}): Promise<any> {
    const text = await (await this.#send(path, method, body)).text()
    return text === '' ? undefined : JSON.parse(text)
  }

  async #send(path: string, method: string, body: unknown): Promise<Response> {
    const response = await fetch(`http://127.0.0.1:${this.shop.config.baseUrl.port}/platform/v1${path}`, {
      method,
      headers: {
        Cookie: this.#cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36',
        ...(method === 'GET' ? {} : { Origin: this.origin, 'Content-Type': 'application/json' }),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept?.context().close()
    await this.#shared[Symbol.asyncDispose]()
    await this.shop[Symbol.asyncDispose]()
  }
}

/** The page that the window shows; none while something lies above it that a test has left there. */
const SHOWN_PATH = `document.querySelector('[role=dialog]') ? undefined : document.getElementById('main')?.dataset.path`
const ELSEWHERE = '/nowhere'

/** What a test has set up for its page goes with the test, also when it has failed. */
async function leave(page: Page, watched: Watched): Promise<void> {
  watched.stop()
  if (page.isClosed()) return
  page.removeAllListeners('dialog')
  await page.unrouteAll()
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(WINDOW)
}

export async function openDashboard(environment: Record<string, string> = {}): Promise<Dashboard> {
  const outcome = await ensureDashboard({ status: () => {} })
  if (outcome.kind === 'failed') throw new Error(outcome.output)
  await using opening = new AsyncDisposableStack()
  const shared = opening.use(await shareBrowser())
  const dashboard = new Dashboard(await startTestPetstore({ environment }), shared)
  opening.move()
  return dashboard
}

/** For all tests of a file: its owner has an account. */
export async function openOwnersDashboard(environment: Record<string, string> = {}): Promise<Dashboard> {
  const dashboard = await openDashboard(environment)
  await dashboard.becomeOwner()
  return dashboard
}
