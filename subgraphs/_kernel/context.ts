import DataLoader from 'dataloader'
import type { Bank } from './bank.ts'
import type { Caller } from './caller.ts'
import type { CommandScope } from './command-scope.ts'
import type { Db } from './db.ts'
import type { IdKind } from './domain/ids.ts'
import { Problem } from './domain/problem.ts'
import type { Envelope } from './envelope.ts'

/** What a resolver and a command know: the bank, who asks, and what came with the request. */
export interface Context {
  bank: Bank
  envelope: Envelope
  caller: Caller
  db: Db
  now(): Date
  newId(kind: IdKind): string
  /** Of rows that a store's own SQL read, those that the second wall lets this caller see. */
  keep<Row extends object>(model: string, rows: Row[]): Promise<Row[]>
  /** What the answer's headers should say; written by commands, read by whoever answers. */
  outcome: { isReplayed: boolean; provisioned: string[] }
  /** The command that is being decided, null between commands; shared by copies of this context. */
  commands: { current: CommandScope | null }
  /** Whether the caller has closed its connection and can receive no response any more. */
  isAbandoned(): boolean
}

/** The context of one request. `caller` has been verified. Without `isAbandoned` the caller waits for ever. */
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
    now: bank.now,
    newId: bank.newId,
    keep: keepAll,
    outcome: { isReplayed: false, provisioned: [] },
    commands: { current: null },
    isAbandoned,
  }
}

/**
 * Rejects with TIMEOUT when nobody waits for the response any more: the deadline has passed, or the
 * caller has closed its connection. Whatever waited its turn calls this before it decides, because the
 * caller may have repeated the request elsewhere meanwhile, and been refused there for good.
 */
export function requireCallerWaits({ envelope, isAbandoned }: Context): void {
  if (Date.now() > envelope.deadlineMs || isAbandoned()) throw new Problem('TIMEOUT')
}

function keepAll<Row>(_model: string, rows: Row[]): Promise<Row[]> {
  return Promise.resolve(rows)
}

type Batch<Key, Value> = (context: Context, keys: readonly Key[]) => Promise<(Value | null)[]>

/**
 * A reader of many records by key, one query per request and tick. `batch` answers in the order of
 * the keys, null for what is absent or not the caller's to see.
 */
export function loader<Key, Value>(batch: Batch<Key, Value>) {
  const perRequest = new WeakMap<Context, DataLoader<Key, Value | null>>()
  return (context: Context, key: Key): Promise<Value | null> => {
    let reader = perRequest.get(context)
    if (!reader) {
      reader = new DataLoader((keys) => batch(context, keys))
      perRequest.set(context, reader)
    }
    return reader.load(key)
  }
}

/** Puts rows in the order of the keys they were asked by; null where there is none. */
export function inOrder<Key, Row>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.map((key) => byKey.get(key) ?? null)
}
