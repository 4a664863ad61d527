import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { projectRoot } from '../../kernel/environment/root.ts'
import { hasBrowser, theBrowser } from '../kit/browser.ts'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { freePort } from '../kit/free-port.ts'
import { record } from './report.ts'

const rounds = 7
const shownMessage = 'The balances are shown.'
const goals = { scriptKiB: 250, coldMs: 1500, warmMs: 200 }

declare global {
  interface Window {
    /** When the first balance was visible, in milliseconds since the navigation. */
    balanceShownMs?: number
  }
}

/** What one visit of the first page took and loaded. */
interface Visit {
  ms: number
  scriptBytes: number
  /** The processor time of the page's thread. */
  processorMs: number
}

/**
 * The first page of a customer who is logged in: with an empty cache (cold), and once more after a second visit (warm). A visit
 * ends when the balances of the accounts are visible. On a busy machine, compare it with a page of text from the same server,
 * and read the processor time, which other programs hardly change.
 */
export async function benchConsole(_: EmbeddedPostgres, folder: string): Promise<void> {
  if (!hasBrowser) return console.log('console: skipped, because there is no browser')
  const bank = await startBank(folder)
  const browser = await theBrowser()
  try {
    const session = await logIn(browser, bank.url)
    const cold: Visit[] = []
    const warm: Visit[] = []
    const plainMs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext(session)
      const page = await context.newPage()
      await page.addInitScript(noteFirstBalance, shownMessage)
      const processorMs = await processorClock(page)
      const visit = async (): Promise<Visit> => {
        const sizes: Promise<number>[] = []
        page.on('response', (response) => {
          const isScript = response.request().resourceType() === 'script'
          if (isScript)
            sizes.push(
              response
                .request()
                .sizes()
                .then((it) => it.responseBodySize),
            )
        })
        const before = await processorMs()
        const shown = page.waitForEvent('console', (message) => message.text() === shownMessage)
        await page.goto(`${bank.url}/console/`, { waitUntil: 'commit' })
        await shown
        const ms = await page.evaluate(() => window.balanceShownMs!)
        const scriptBytes = (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
        return { ms, scriptBytes, processorMs: (await processorMs()) - before }
      }
      cold.push(await visit())
      page.removeAllListeners('response')
      // The browser keeps the compiled scripts after the second visit.
      await visit()
      page.removeAllListeners('response')
      await page.goto(`${bank.url}/problems`)
      await page.goto(`${bank.url}/problems`)
      plainMs.push(await page.evaluate(() => performance.now()))
      warm.push(await visit())
      await context.close()
    }
    const kib = median(cold.map(({ scriptBytes }) => scriptBytes)) / 1024
    report('scripts of the first page', kib, goals.scriptKiB, 'KiB')
    report('first page, cold', median(cold.map(({ ms }) => ms)), goals.coldMs, 'ms')
    report('first page, warm', median(warm.map(({ ms }) => ms)), goals.warmMs, 'ms')
    const [least, text, processor] = [
      Math.min(...warm.map(({ ms }) => ms)),
      median(plainMs),
      median(warm.map((each) => each.processorMs)),
    ].map((ms) => ms.toFixed(0))
    console.log(
      `${''.padEnd(28)} at least ${least} ms, processor ${processor} ms; a page of text takes ${text} ms`,
    )
  } finally {
    await browser.close()
    await bank.stop()
  }
}

/** Returns a function that returns the processor time of the page's thread, in milliseconds. */
async function processorClock(page: Page): Promise<() => Promise<number>> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await tools.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
}

/**
 * Runs in the page, and says when the balances are shown. A locator would put 300 KB of script into the
 * page while it loads, which takes 14 ms.
 */
function noteFirstBalance(message: string): void {
  const observer = new MutationObserver(() => {
    if (!document.body?.textContent.includes('Available:')) return
    observer.disconnect()
    requestAnimationFrame(() =>
      setTimeout(() => {
        window.balanceShownMs = performance.now()
        console.debug(message)
      }),
    )
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
}

const report = (what: string, value: number, goal: number, unit: string) =>
  record({
    what,
    value: `${value.toFixed(0)} ${unit}`,
    ratio: value / goal,
    goal: `at most ${goal} ${unit}`,
    isMet: value <= goal,
  })

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

/** Starts the whole program, as `npm start` does, with a data folder of its own. */
async function startBank(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, ['--import', 'tsx', join(projectRoot, 'main.ts')], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'console'),
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      NODE_ENV: 'production',
    },
  })
  for await (const line of createInterface(child.stdout)) if (line.startsWith('ready ')) break
  return {
    url: `http://127.0.0.1:${sandboxPort}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Logs Ada in and returns the cookies of her session. */
async function logIn(browser: Browser, url: string): Promise<BrowserContextOptions> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/console/`)
  await page.getByRole('button', { name: /^Ada\b/ }).click()
  await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  const storageState = await context.storageState()
  await context.close()
  return { storageState }
}
