/** The console in a real browser, on a sandbox with its fixtures. */
import { createHash } from 'node:crypto'
import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import pino from 'pino'
import { expect } from 'vitest'
import type { SessionTokens } from '../../gateway/console-session/store.ts'
import { openBank } from '../../host/open-bank.ts'
import { serve } from '../../host/serve.ts'
import { freePort } from '../kit/free-port.ts'
import { hasBrowser, theBrowser } from '../kit/browser.ts'
import { secrets, theGraph, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

if (!hasBrowser)
  console.warn(
    'The tests of the console are skipped: install chromium-headless-shell or chromium to run them.',
  )

export interface ConsoleKit {
  bank: Platform
  databaseUrl: string
  /**
   * Opens a page as a person, in a new tab of this person's browser, and closes the tabs that earlier
   * tests opened. The first call for a person logs in. A test of sessions, or one that logs a person
   * out, uses `openAlone`.
   */
  open(person: string, path?: string): Promise<Page>
  /** Logs a person in with one click, in a browser of their own, and opens a page. */
  openAlone(person: string, path?: string): Promise<Page>
  /** Opens a browser window in which nobody is logged in. */
  window(): Promise<Page>
  /** Logs a person in with one click and opens a page. */
  logIn(page: Page, person: string, path?: string): Promise<void>
  /** Returns the tokens that the gateway holds for the session with this ID. */
  tokensOf(sessionId: string): Promise<SessionTokens>
  /** The errors that the pages reported, such as violations of the content security policy. */
  faults: string[]
  stop(): Promise<void>
}

/** Starts a sandbox, to be opened in the browser of this process. */
export async function aConsole(settings: Record<string, string> = {}): Promise<ConsoleKit> {
  const bank = await aSeededPlatform('sandbox', false, settings)
  const faults: string[] = []
  const opened: BrowserContext[] = []
  const window = async () => {
    const context = await aContext()
    opened.push(context)
    return aPage(context, faults)
  }
  const logIn = async (page: Page, person: string, path = '/') => {
    await page.goto(`${bank.url}/console${path}`)
    await page.getByRole('button', { name: new RegExp(`^${person}\\b`, 'i') }).click()
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  }
  const openAlone = async (person: string, path?: string) => {
    const page = await window()
    await logIn(page, person, path)
    return page
  }
  const contexts = new Map<string, BrowserContext>()
  const tabs = new Map<Page, string | undefined>()
  const open = async (person: string, path = '/') => {
    const test = expect.getState().currentTestName
    for (const [tab, testOfTab] of tabs) {
      if (testOfTab === test) continue
      tabs.delete(tab)
      await tab.close()
    }
    const context = contexts.get(person)
    const page = context ? await aPage(context, faults) : await openAlone(person, path)
    tabs.set(page, test)
    contexts.set(person, page.context())
    if (context) {
      await page.goto(`${bank.url}/console${path}`)
      await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    }
    return page
  }
  return {
    bank,
    databaseUrl: bank.databaseUrl,
    faults,
    tokensOf: (id) => storedTokens(bank, id),
    window,
    logIn,
    open,
    openAlone,
    async stop() {
      await Promise.all(opened.map((context) => context.close()))
      await bank.stop()
    },
  }
}

/** Returns the tokens that the gateway of a bank holds for the session with this ID. */
export async function storedTokens({ bank }: Platform, id: string): Promise<SessionTokens> {
  const hash = createHash('sha256').update(id).digest()
  const sql = 'select tokens from kernel.console_session where id_hash = $1'
  const { rows } = await bank.pool.query<{ tokens: string }>(sql, [hash])
  const place = `console-session/${hash.toString('base64url')}`
  return JSON.parse(bank.vault.decrypt(rows[0]!.tokens, place)) as SessionTokens
}

/** Starts another gateway of the same bank, as behind a proxy: at the same origin, on another port. */
export async function aSecondGateway({ bank: first, databaseUrl }: ConsoleKit) {
  const graph = await theGraph()
  const port = await freePort()
  const open = await openBank({
    environment: 'sandbox',
    config: first.bank.config,
    databaseUrl,
    address: first.url,
    secrets,
    graph,
    log: pino({ level: 'silent' }),
  })
  const served = await serve({
    open,
    graph,
    host: '127.0.0.1',
    port,
    allowedOrigins: [],
    workers: [],
  })
  return { bank: open.bank, url: `http://127.0.0.1:${port}`, stop: () => served.stop() }
}

const aContext = async () =>
  (await theBrowser()).newContext({ locale: 'en-US', reducedMotion: 'reduce' })

async function aPage(context: BrowserContext, faults: string[]): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text())) faults.push(message.text())
  })
  return page
}

/** A page that looks for a session finds none before the first log-in, and networks fail in tests. */
const isExpected = (text: string) => /Failed to load resource|net::ERR_|WebSocket/.test(text)

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules whose result can change with the width or the colors. */
const phoneRules = [
  'color-contrast',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
  'label',
  'target-size',
]
const phone = { width: 375, height: 812 }

/**
 * Returns what axe finds on a page that people with disabilities could not use: on a desktop in light
 * colors, and on a phone in dark ones, where also nothing may extend beyond the screen (WCAG 1.4.10).
 */
export async function barriersOn(page: Page): Promise<string[]> {
  // The policy of the console allows no scripts of others, so axe is evaluated by the browser's tools.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const light = await violationsOn(page, 'light', everyRule)
  const desktop = page.viewportSize()!
  await page.setViewportSize(phone)
  const dark = await violationsOn(page, 'dark', phoneRules)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await page.setViewportSize(desktop)
  const reflow = width > phone.width ? [`The page is ${width} px wide on a phone.`] : []
  return [...light, ...dark, ...reflow]
}

/** Runs in the page. Resolves when everything has the colors of the scheme; transitions to them are skipped. */
async function colorsChanged(colorScheme: string): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const { dataset } = document.documentElement
  while (dataset['mantineColorScheme'] !== colorScheme) await frame()
  await frame()
  // One that ends can begin another, in an element that inherits the color.
  for (;;) {
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition)
    if (transitions.length === 0) return
    for (const transition of transitions) transition.finish()
    await frame()
  }
}

async function violationsOn(
  page: Page,
  colorScheme: 'light' | 'dark',
  rules: string[],
): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  // Until the colors have changed, they are neither those of the one scheme nor of the other.
  await page.evaluate(colorsChanged, colorScheme)
  const { violations } = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    // Only the markup of violations is reported; the rest of the report takes time.
    return axe.run(document, { runOnly, resultTypes: ['violations'], selectors: false })
  }, rules)
  return violations.map(
    ({ id, impact, nodes }) =>
      `${colorScheme} ${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  )
}

/** Runs in the page. Goes to a path of the console, as a link does. */
async function followLink(href: string): Promise<void> {
  const { __TSR_ROUTER__: router } = window as unknown as {
    __TSR_ROUTER__: { navigate(to: { href: string }): Promise<void> }
  }
  await router.navigate({ href })
}

/**
 * Opens pages as a person, and returns what axe finds on them, each with the path of its page. The
 * first page is loaded, the others are reached as with links, except after a page with a dialog.
 */
export async function barriersOnPages(
  kit: ConsoleKit,
  person: string,
  paths: readonly string[],
): Promise<string[]> {
  const page = await kit.open(person, paths[0])
  const barriers: string[] = []
  for (const [index, path] of paths.entries()) {
    const isDialogOpen = paths[index - 1]?.includes('dialog=')
    if (isDialogOpen) await page.goto(`${kit.bank.url}/console${path}`)
    else if (index > 0) await page.evaluate(followLink, path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
    barriers.push(...(await barriersOn(page)).map((barrier) => `${path} ${barrier}`))
  }
  return barriers
}

/** Returns the IBAN of an account. */
export async function ibanOf({ bank }: ConsoleKit, arrangementId: string): Promise<string> {
  const { body } = await bank.graph(
    'query($id: ID!) { accountArrangement(arrangementId: $id) { accountNumber } }',
    { id: arrangementId },
  )
  return body.data.accountArrangement.accountNumber
}
