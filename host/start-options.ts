import type { Logger } from 'pino'
import type { Config } from '../kernel/environment/config.ts'
import type { Role } from './role.ts'

/** The options for starting a process. */
export interface StartOptions {
  config: Config
  role: Role
  log: Logger
  /**
   * Registers a function to run at shutdown. The function that was registered last runs first.
   */
  onStop(stop: () => Promise<void>): void
  /** Registers a function to run at once when the process is told to stop. */
  onDrain(drain: () => void): void
}
