import { setTimeout as sleep } from 'node:timers/promises'
import { stopOnSignal } from '../../../host/process.ts'

// Stops on a signal in the way its argument names.
const stops: Record<string, () => Promise<unknown>> = {
  cleanly: async () => console.log('stopped'),
  never: () => sleep(60_000),
  badly: () => Promise.reject(new Error('no')),
}
stopOnSignal(
  async () => void (await stops[process.argv[2]!]?.()),
  (message) => console.log(message),
)
setInterval(() => undefined, 1000)
if (process.argv[2] === 'forgotten') void Promise.reject(new Error('nobody awaits this'))
console.log('up')
