import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { collectGarbage } from './host/collect-garbage.ts'
import { createLog } from './host/log.ts'
import { stopOnSignal } from './host/process.ts'
import { parseRole } from './host/role.ts'
import { start } from './host/start.ts'
import { parseConfig, type Config } from './kernel/environment/config.ts'
import { misspelledVariables } from './kernel/environment/variables.ts'
import { armFaultPoint } from './kernel/environment/fault-point.ts'
import { subgraphs } from './subgraphs/index.ts'

/** Checks the settings, and starts nothing. */
const checkOption = '--check-config'

const config = readSettings()
if (process.argv.includes(checkOption)) {
  process.stdout.write('The settings are valid.\n')
  process.exit(0)
}
const log = createLog(config.logLevel, pino.destination(2))
armFaultPoint(config.faultPoint)
const stopFunctions: (() => Promise<void>)[] = []
const drainFunctions: (() => void)[] = []

stopOnSignal(
  async () => {
    for (const drain of drainFunctions) drain()
    await sleep(config.shutdownDelayMs)
    for (const stop of stopFunctions.reverse()) await stop()
  },
  (message, error) => log.fatal({ error }, message),
  config.shutdownDelayMs + config.shutdownGraceMs,
)

try {
  const role = parseRole(
    process.argv.slice(2),
    subgraphs.map(({ name }) => name),
    Object.keys(config.subgraphUrls),
  )
  if (config.tracing) {
    const { startTracing } = await import('./host/tracing.ts')
    stopFunctions.push(startTracing(config.tracing, log).stop)
  }
  const readyMessage = await start({
    config,
    role,
    log,
    onStop: (stop) => stopFunctions.push(stop),
    onDrain: (drain) => drainFunctions.push(drain),
  })
  collectGarbage()
  process.stdout.write(`${readyMessage}\n`)
} catch (error) {
  for (const stop of stopFunctions.reverse()) await stop().catch(() => undefined)
  process.stderr.write(`${(error as Error).message}\n`)
  log.debug({ error }, 'start failed')
  process.exit(1)
}

/**
 * Reads the settings from the environment. Invalid settings end the program with a message that
 * names them. Misspelled names are only reported, because they may belong to another program.
 */
function readSettings(): Config {
  for (const [name, meant] of misspelledVariables(Object.keys(process.env))) {
    process.stderr.write(`${name} is no setting. Did you mean ${meant}?\n`)
  }
  try {
    return parseConfig(process.env)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}
