import { pino } from 'pino'
import { createLog } from './host/log.ts'
import { stopOnSignal } from './host/process.ts'
import { parseRole } from './host/role.ts'
import { start } from './host/start.ts'
import { parseConfig, type Config } from './subgraphs/_kernel/config.ts'
import { armFaultPoint } from './subgraphs/_kernel/fault-point.ts'
import { subgraphs } from './subgraphs/index.ts'

const config = readSettings()
const log = createLog(config.logLevel, pino.destination(2))
armFaultPoint(config.faultPoint)
const stops: (() => Promise<void>)[] = []

stopOnSignal(
  async () => {
    for (const stop of stops.reverse()) await stop()
  },
  (message, error) => log.fatal({ error }, message),
)

try {
  const role = parseRole(
    process.argv.slice(2),
    subgraphs.map(({ name }) => name),
    Object.keys(config.subgraphUrls),
  )
  const ready = await start({ config, role, log, onStop: (stop) => stops.push(stop) })
  process.stdout.write(`${ready}\n`)
} catch (error) {
  for (const stop of stops.reverse()) await stop().catch(() => undefined)
  process.stderr.write(`${(error as Error).message}\n`)
  log.debug({ error }, 'start failed')
  process.exit(1)
}

/** The settings; one that cannot be read ends the program with the sentence that says so. */
function readSettings(): Config {
  try {
    return parseConfig(process.env)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}
