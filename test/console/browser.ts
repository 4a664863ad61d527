import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const executablePath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))

/** Whether the console can be opened; without a browser, its tests are skipped. */
export const hasBrowser = executablePath !== undefined

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
