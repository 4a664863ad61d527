import type { Logger } from 'pino'
import type { Config } from '../kernel/environment/config.ts'
import type { Role } from './role.ts'

/** The options for starting a process. */
export interface StartOptions {
  config: Config
  role: Role
  log: Logger
  /**
   * Registers a function to run at shutdown. Functions run in the order in which they were
   * registered.
   */
  onStop(stop: () => Promise<void>): void
}
