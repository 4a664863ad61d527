import { begin } from './session/begin.ts'

// The log-in begins before the console itself is loaded: both take about the same time. Its request is
// on its way before the code occupies the browser.
const { requested, beginning } = begin()
await requested
const { show } = await import('./app/start.tsx')
await show(beginning)
