import { show } from './app/start.tsx'
import { begin } from './session/begin.ts'

await show(begin())
