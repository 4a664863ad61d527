import type { Logger } from 'pino'
import type { Config } from '../subgraphs/_kernel/config.ts'
import type { Role } from './role.ts'

/** What starting a process needs to know. */
export interface StartOptions {
  config: Config
  role: Role
  log: Logger
  /** Is told what to do at the end, in the order things were started. */
  onStop(stop: () => Promise<void>): void
}
