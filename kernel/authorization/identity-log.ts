import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import { bankSubject } from './caller.ts'
import { IdentityCounts } from './identity-counts.ts'
import { rowOf, subjectPrefix, withSalt, type IdentityEntry } from './identity-record.ts'
import { identityRecordEvent } from '../domain/event-filter.ts'
import type {
  IdentityOutcome,
  IdentityRecord,
  IdentityRecordKind,
} from '../domain/identity-record.ts'
import { newId } from '../environment/ids.ts'
import { statementName } from '../database/statement-name.ts'
import { idPrefixes } from '../domain/ids.ts'
import { realNow } from '../work/clock.ts'
import { toJson, type Row } from '../writing/writes.ts'

/** How often a kind of record with an outcome occurred, since the process started. */
export interface IdentityTotal {
  kind: IdentityRecordKind
  outcome: IdentityOutcome
  count: number
}

const writeSql = 'select kernel.write_identity_records($1::json, $2::json) as inserted'

/**
 * Writes the audit of identity of one environment. Records are only added: a worker links them in a
 * hash chain (`subgraphs/operations/workers/identity-records.ts`).
 */
export class IdentityLog {
  readonly #pool: pg.Pool
  readonly #counts: IdentityCounts
  readonly #totals = new Map<string, IdentityTotal>()

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#counts = new IdentityCounts((entry, count) => this.#write(entry, count), log)
  }

  /**
   * Writes a record with its event in one transaction. Responses wait for it, so that nobody gets
   * access without a record. Throws if the database is unavailable.
   */
  async record(entry: IdentityEntry): Promise<void> {
    const inserted = await this.#write(entry, 1)
    this.addTotal(entry, inserted)
  }

  /**
   * Records an occurrence that can be frequent. The first one within `windowMs` is written like
   * `record`; the others are counted and written in one record at the end of the window. Occurrences
   * are equal if they have the same kind, outcome, person, client, address and detail. A process has
   * at most 200 different ones per kind, outcome and hour; further ones are counted together without
   * these members.
   */
  async count(entry: IdentityEntry, windowMs: number): Promise<void> {
    this.addTotal(entry, 1)
    await this.#counts.count(entry, windowMs)
  }

  /** Adds to the totals that the metrics report. */
  addTotal({ kind, outcome }: Pick<IdentityEntry, 'kind' | 'outcome'>, count: number): void {
    const key = `${kind} ${outcome}`
    const total = this.#totals.get(key) ?? { kind, outcome, count: 0 }
    total.count += count
    this.#totals.set(key, total)
  }

  get totals(): IdentityTotal[] {
    return [...this.#totals.values()]
  }

  /** Writes the remaining counts. */
  close(): Promise<void> {
    return this.#counts.close()
  }

  /** Returns 1, or 0 if there already is a record with the unique key of the entry. */
  async #write(entry: IdentityEntry, count: number): Promise<number> {
    const values = writeArguments(entry, count)
    const config = { name: statementName(writeSql), text: writeSql, values }
    return (await this.#pool.query<{ inserted: number }>(config)).rows[0]!.inserted
  }
}

/**
 * Returns the arguments of `kernel.write_identity_records` for one record, to be written in the
 * statement of the change that it reports.
 */
export function writeArguments(entry: IdentityEntry, count = 1): [records: string, events: string] {
  const record = recordOf(entry, count, realNow())
  return [toJson([rowOf(withSalt(record))]), toJson([eventOf(record)])]
}

/** Returns the record of an entry. Only printable ASCII of the user agent is kept. */
function recordOf({ uniqueKey, ...entry }: IdentityEntry, count: number, at: Date): IdentityRecord {
  const { person = null, clientId = null, userAgent = null } = entry
  return {
    person,
    partyId: null,
    clientId,
    actor: person ?? clientId,
    address: null,
    grantId: null,
    acr: null,
    detail: null,
    requestId: null,
    ...entry,
    userAgent: userAgent && userAgent.replace(/[^\x20-\x7e]/g, '?').slice(0, 160),
    recordId: uniqueKey === undefined ? newId('identityRecord') : uniqueId(uniqueKey),
    count,
    eventId: null,
    at,
  }
}

function uniqueId(key: string): string {
  const hash = createHash('sha256').update(key).digest('base64url')
  return `${idPrefixes.identityRecord}_${hash.slice(0, 26)}`
}

/** Returns the outbox row of the event. The event log does not store the data of a record again. */
function eventOf({ recordId, actor, requestId, at }: IdentityRecord): Row {
  return {
    event_id: newId('event'),
    type: identityRecordEvent,
    subject: subjectPrefix + recordId,
    subject_version: 1,
    ordinal: 0,
    time: at,
    data: null,
    parties: [],
    correlation_id: requestId ?? randomUUID(),
    causation_id: null,
    actor: actor ?? bankSubject,
  }
}
