import { begin } from './session/begin.ts'

// The log-in begins before the console itself is loaded: both take about the same time.
const beginning = begin()
const { show } = await import('./app/start.tsx')
await show(beginning)
