import type { Logger } from 'pino'
import type { Database } from '../kernel/database/db.ts'
import type { Heartbeat } from '../kernel/database/heartbeat.ts'
import type { Config, EnvironmentName } from '../kernel/environment/config.ts'
import { EventArchive } from '../kernel/events/event-archive.ts'
import { EventLog } from '../kernel/events/event-log.ts'
import type { LiveKeys } from './live-keys.ts'

/** Opens the event log of an environment with its archive and, if one is configured, its broker. */
export async function openEvents(
  { config, environment }: { config: Config; environment: EnvironmentName },
  keys: LiveKeys,
  { pool, direct, commits }: Database,
  heartbeat: Heartbeat,
  log: Logger,
): Promise<{ archive: EventArchive; events: EventLog }> {
  const archive = new EventArchive(pool, config, environment, log)
  const broker = config.natsUrl ? await openBroker(config.natsUrl, keys, log) : null
  const events = new EventLog({ pool, direct }, log, heartbeat, broker, archive)
  return { archive, events: commits.tell(events) }
}

/** A program without an event broker does not load the library. */
async function openBroker(url: string, keys: LiveKeys, log: Logger) {
  const { EventBroker } = await import('../kernel/events/event-broker.ts')
  return new EventBroker(url, keys.ring, log)
}
