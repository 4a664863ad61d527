import DataLoader from 'dataloader'
import type { Bank } from './bank.ts'
import type { Caller } from '../authorization/caller.ts'
import type { CommandScope } from '../writing/command-scope.ts'
import type { Db } from '../database/db.ts'
import type { IdKind } from '../domain/ids.ts'
import { Problem } from '../domain/problem.ts'
import type { Envelope } from './envelope.ts'

/** The context of a request, for resolvers and commands: the bank, the caller, and the envelope. */
export interface Context {
  bank: Bank
  envelope: Envelope
  caller: Caller
  db: Db
  now(): Date
  newId(kind: IdKind): string
  /**
   * Returns those of `rows` that row-level security does not hide from the caller. Handwritten SQL
   * needs this call; reads through Prisma are filtered automatically.
   */
  keepVisible<Row extends object>(model: string, rows: Row[]): Promise<Row[]>
  /** Values for the response headers. Commands set them; the server reads them. */
  outcome: { isReplayed: boolean; provisioned: string[] }
  /** The running command; null if there is none. Copies of this context share it. */
  commands: { current: CommandScope | null }
  /** Returns whether the caller has closed the connection and can no longer receive a response. */
  isAbandoned(): boolean
}

/**
 * Creates the context of one request. The token of `caller` must be verified. By default the caller
 * is assumed to wait until the deadline.
 */
export function createContext(
  bank: Bank,
  caller: Caller,
  envelope: Envelope,
  isAbandoned: () => boolean = () => false,
): Context {
  return {
    bank,
    envelope,
    caller,
    db: bank.db,
    now: nowOf(bank, envelope),
    newId: bank.newId,
    keepVisible: retainAll,
    outcome: { isReplayed: false, provisioned: [] },
    commands: { current: null },
    isAbandoned,
  }
}

/**
 * Returns the clock of a request: the bank's clock, or the fixed past time of a sandbox fixture.
 */
function nowOf({ environment, now }: Bank, { happenedAt }: Envelope): () => Date {
  return happenedAt && environment === 'sandbox' ? () => happenedAt : now
}

/**
 * Throws TIMEOUT if the caller no longer waits, because the deadline has passed or the connection
 * is closed. Queued work must call this before it decides: the caller may meanwhile have retried
 * the request elsewhere, and may have received a final rejection.
 */
export function requireCallerWaits({ envelope, isAbandoned }: Context): void {
  if (Date.now() > envelope.deadlineMs || isAbandoned()) throw new Problem('TIMEOUT')
}

function retainAll<Row>(_model: string, rows: Row[]): Promise<Row[]> {
  return Promise.resolve(rows)
}

/** `fields` are the fields of the records that will be used; undefined if all may be. */
type Batch<Key, Value> = (
  context: Context,
  keys: readonly Key[],
  fields?: ReadonlySet<string>,
) => Promise<readonly (Value | null)[]>

/** Loads a record by its key; null if it does not exist or is not visible to the caller. */
export interface Loader<Key, Value> {
  (context: Context, key: Key): Promise<Value | null>
  /**
   * Loads a list of different keys with one query and one promise, where each key alone would take
   * several. The records are in the order of the keys.
   */
  many: Batch<Key, Value>
}

/**
 * Creates a loader of records by key. All loads in one turn of the event loop share one query, and
 * a request loads each key once. `batch` must return the records in the order of the keys, with
 * null for a record that does not exist or is not visible to the caller.
 */
export function loader<Key, Value>(batch: Batch<Key, Value>): Loader<Key, Value> {
  const perRequest = new WeakMap<Context, DataLoader<Key, Value | null>>()
  const load = (context: Context, key: Key): Promise<Value | null> => {
    let reader = perRequest.get(context)
    if (!reader) {
      reader = new DataLoader((keys) => batch(context, keys))
      perRequest.set(context, reader)
    }
    return reader.load(key)
  }
  return Object.assign(load, { many: batch })
}

/** Returns the rows in the order of the requested keys, with null for a key without a row. */
export function inOrder<Key, Row>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.map((key) => byKey.get(key) ?? null)
}
