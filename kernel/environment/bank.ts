import type { Logger } from 'pino'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Caller } from '../authorization/caller.ts'
import type { Clock } from '../work/clock.ts'
import type { Config, EnvironmentName } from './config.ts'
import type { DataKeys } from './data-keys.ts'
import type { Database } from '../database/db.ts'
import type { IdKind } from '../domain/ids.ts'
import type { Heartbeat } from '../database/heartbeat.ts'
import type { EventArchive } from '../events/event-archive.ts'
import type { EventLog } from '../events/event-log.ts'
import type { PageKeys } from '../graph/page-token.ts'
import type { LogIns } from '../authorization/log-ins.ts'
import type { ProofVerifier } from '../authorization/proofs.ts'
import type { IdentityLog } from '../authorization/identity-log.ts'
import type { RejectionLog } from '../authorization/refusals.ts'
import type { Revocations } from '../authorization/revocations.ts'
import type { RowSecurity } from '../authorization/row-security.ts'
import type { TokenVerifier } from '../authorization/token.ts'
import type { Vault } from './vault.ts'

/**
 * The caller on whose behalf the graph is queried and, for a mutation, the idempotency key of the
 * request.
 */
export interface OriginalRequest {
  caller: Caller
  idempotencyKey?: string
}

/**
 * Executes a GraphQL operation and returns its data. The operation has the permissions of the
 * caller in `originalRequest`; if `originalRequest` is omitted, it has those of the bank. Throws
 * the problem of a failed operation.
 */
export type QueryGraph = <Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  originalRequest?: OriginalRequest,
) => Promise<Result>

/**
 * A replica of an environment's database, from which queries read. It serves a caller only if it has
 * replayed what the caller must see, and nobody while it is further behind than the limit, does not
 * answer or is a copy of another database. Queries then read from the primary.
 */
export interface Replica {
  /** The bank of queries that read from the replica. Its commits and events are the primary's. */
  bank: Bank
  /**
   * Records that a caller has written, so that its queries see the write. Returns a position of the
   * event log that includes the events of the write; null if the primary does not answer.
   */
  recordWrite(callerKey: string): Promise<bigint | null>
  /**
   * Returns whether a query of the caller may read from the replica: it has the caller's last write
   * and, if `position` is given, the event log up to there.
   */
  isCurrentFor(callerKey: string, position: bigint | null): boolean
  /** Like `isCurrentFor` for a position, but looks once more before it returns false. */
  hasReached(position: bigint): Promise<boolean>
  close(): Promise<void>
}

/** One environment of the platform, live or sandbox: its database, clock, secrets and logger. */
export interface Bank extends Database {
  environment: EnvironmentName
  config: Config
  log: Logger
  /**
   * Returns the bank's time: real time in live, and a time that can be moved forward in the
   * sandbox.
   */
  now(): Date
  clock: Clock
  newId(kind: IdKind): string
  /**
   * The origin at which clients reach this environment, such as `http://127.0.0.1:4000`. The tokens
   * of this environment name it as their issuer.
   */
  issuer: string
  verifier: TokenVerifier
  proofs: ProofVerifier
  revocations: Revocations
  logIns: LogIns
  refusals: RejectionLog
  /** The audit of identity. */
  identities: IdentityLog
  /** null if row-level security is switched off or not available in the database. */
  rowSecurity: RowSecurity | null
  pageKeys: PageKeys
  vault: Vault
  dataKeys: DataKeys
  /** Finds, once a second, what other processes changed and what became due. */
  heartbeat: Heartbeat
  events: EventLog
  /** The replica from which queries may read; null if there is none. */
  replica: Replica | null
  /** Whether this is the bank of queries that read from the replica. */
  isReplica: boolean
  /**
   * Returns a position of the event log that a read from now on includes: changes that it misses have
   * a later position.
   */
  readPosition(): bigint
  /** The old events, which have left the database. */
  archive: EventArchive
  queryGraph: QueryGraph
}
