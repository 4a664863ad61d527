import type { Logger } from 'pino'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import type { Config, EnvironmentName } from './config.ts'
import type { Database } from './db.ts'
import type { IdKind } from './domain/ids.ts'
import type { EventLog } from './log.ts'
import type { PageKeys } from './page-token.ts'
import type { Refusals } from './refusals.ts'
import type { Revocations } from './revocations.ts'
import type { RowSecurity } from './row-security.ts'
import type { TokenVerifier } from './token.ts'
import type { Vault } from './vault.ts'

/** For whom a question is asked, with their rights; for a mutation, the key that makes it happen once. */
export interface AskedFor {
  caller: Caller
  idempotencyKey?: string
}

/**
 * A question to the graph, asked by the bank itself with every right, or for somebody with theirs.
 * Throws the problem it meets.
 */
export type Ask = <Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  askedFor?: AskedFor,
) => Promise<Result>

/** One environment of the platform: its database, clock, secrets and log. Live and sandbox are two. */
export interface Bank extends Database {
  environment: EnvironmentName
  config: Config
  log: Logger
  /** The bank's time: real in live, movable in the sandbox. */
  now(): Date
  clock: Clock
  newId(kind: IdKind): string
  /** The address this environment is reached at: `http://127.0.0.1:4000`. */
  issuer: string
  verifier: TokenVerifier
  revocations: Revocations
  refusals: Refusals
  /** null where it is off, or the database could not have it. */
  rowSecurity: RowSecurity | null
  pageKeys: PageKeys
  vault: Vault
  events: EventLog
  ask: Ask
}
