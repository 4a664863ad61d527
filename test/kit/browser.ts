import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))

/** Whether this machine has a browser. Without one, the tests that need it are skipped. */
export const hasBrowser = executablePath !== undefined

/**
 * The suggestions of the address bar are pages of their own, which Chromium draws for each window
 * although nobody types an address.
 */
const withoutSuggestions =
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup'

let shared: Promise<Browser> | undefined

/**
 * Returns the browser of this process, which ends with it. All test files that run in the process
 * share the browser; each uses contexts of its own and closes them.
 */
export function theBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', withoutSuggestions]
  shared ??= chromium.launch({ executablePath: executablePath!, args })
  return shared
}
