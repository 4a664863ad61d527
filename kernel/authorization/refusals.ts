import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Caller } from './caller.ts'
import { realNow } from '../work/clock.ts'
import { idPattern } from '../domain/ids.ts'
import { catalog, type ProblemCode } from '../domain/problem.ts'
import { statementName } from '../database/statement-name.ts'
import { toJson } from '../writing/writes.ts'

/** A rejected request, to be added to the audit log. */
export interface RejectedRequest {
  /** null if the token is missing or not valid, because its claims cannot be trusted. */
  caller: Caller | null
  /**
   * The name of the GraphQL root field; the HTTP method and path if the request was rejected before
   * that field was known.
   */
  operation: string
  code: ProblemCode
  resourceId?: string | undefined
  requestId: string | null
}

/** A row of the audit log. It counts equal rejected requests within one hour. */
interface Row {
  refusal_id: string
  client_id: string | null
  party_id: string | null
  subject: string | null
  operation: string
  code: ProblemCode
  resource_id: string | null
  is_there: boolean | null
  count: number
  first_at: Date
  last_at: Date
  request_id: string | null
}

const hourMs = 3_600_000
const flushMs = 1000
/**
 * The maximum number of rows per process and hour. Further rejected requests are only counted by
 * code.
 */
const maxPerHour = 400
/**
 * The maximum number of distinct record IDs per caller and hour. Further rejected requests are
 * counted without an ID.
 */
const maxIdsOfCaller = 50

/** Other entity names that event subjects use for the records of a code, by code. */
const otherEntities: Readonly<Record<string, readonly string[]>> = {
  LOAN_NOT_FOUND: ['facility'],
  SESSION_NOT_FOUND: ['assist-session'],
  APPLICATION_NOT_FOUND: ['loan-application'],
  TOOL_CALL_NOT_FOUND: ['assist-tool-call'],
}

const writeSql = `
  insert into kernel.refusal as refusal
  select r.* from json_populate_recordset(null::kernel.refusal, $1::json) r order by refusal_id
  on conflict (refusal_id) do update set count = refusal.count + excluded.count,
    last_at = excluded.last_at, request_id = excluded.request_id,
    is_there = coalesce(excluded.is_there, refusal.is_there)`
const existingSql = `
  select subject from kernel.event where subject = any($1) and sequence = 1
  union select subject from kernel.archived_subject where subject = any($1)`

/**
 * Whether a rejected request is recorded. Requests with an invalid token, without permission or
 * over a rate limit are recorded; requests without a token are not. For callers that act for a
 * party, requests for records that do not exist or are not visible to them are recorded, too.
 */
function isRecorded({ caller, code, resourceId }: RejectedRequest): boolean {
  if (code === 'UNAUTHENTICATED') return false
  const { status } = catalog[code]
  if (status === 401 || status === 403 || status === 429) return true
  return code.endsWith('_NOT_FOUND') && resourceId !== undefined && !!caller?.partyId
}

/**
 * The audit log of rejected requests. Responses do not wait for it: rejected requests are counted
 * in memory and written once a second in one statement. A flood of requests fills neither memory
 * nor disk, because equal requests within an hour share a row, and a process writes at most 400
 * rows an hour and one more per code. Only IDs and codes are stored.
 */
export class RejectionLog {
  readonly #pool: pg.Pool
  readonly #log: Logger
  #hour = 0
  /** The rows of the current hour, by the hour and the properties that equal requests share. */
  #rows = new Map<string, Row>()
  readonly #idsOf = new Map<string, Set<string>>()
  #unwritten = new Map<string, Row>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  /** Counts a rejected request if its kind is recorded. Does not throw or wait. */
  record(request: RejectedRequest): void {
    if (!isRecorded(request)) return
    const now = realNow()
    this.#beginHour(now)
    const matchingRow = this.#rowFor(request, now)
    const row = this.#unwritten.get(matchingRow.refusal_id)
    if (row) {
      row.count++
      row.last_at = now
      row.request_id = request.requestId
    } else this.#unwritten.set(matchingRow.refusal_id, { ...matchingRow, count: 1, first_at: now })
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref()
  }

  /** Writes the remaining rows. */
  async close(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  #beginHour(now: Date): void {
    const hour = Math.floor(now.getTime() / hourMs)
    if (hour === this.#hour) return
    this.#hour = hour
    this.#rows = new Map()
    this.#idsOf.clear()
  }

  /** Returns the row that counts a rejected request; a less specific row if a limit is reached. */
  #rowFor(request: RejectedRequest, now: Date): Row {
    const { code, requestId } = request
    const caller = request.caller
    const callerIds = [caller?.clientId, caller?.partyId, caller?.subject].map(idOrNull)
    const id = this.#idWithinLimit(callerIds, idOrNull(request.resourceId))
    const found = this.#findOrCreate([...callerIds, request.operation, code, id], now, requestId)
    return found ?? this.#findOrCreate([null, null, null, '*', code, null], now, requestId)!
  }

  /**
   * Returns the row with `properties`, and creates it if needed; null if the maximum number of rows
   * is reached.
   */
  #findOrCreate(properties: (string | null)[], now: Date, requestId: string | null): Row | null {
    const key = JSON.stringify([this.#hour, ...properties])
    const existingRow = this.#rows.get(key)
    if (existingRow) return { ...existingRow, last_at: now, request_id: requestId }
    const [client, party, subject, operation, code, resource] = properties
    if (this.#rows.size >= maxPerHour && operation !== '*') return null
    const row: Row = {
      refusal_id: createHash('sha256').update(key).digest('base64url').slice(0, 22),
      client_id: client!,
      party_id: party!,
      subject: subject!,
      operation: operation!,
      code: code as ProblemCode,
      resource_id: resource!,
      is_there: null,
      count: 0,
      first_at: now,
      last_at: now,
      request_id: requestId,
    }
    this.#rows.set(key, row)
    return row
  }

  #idWithinLimit(callerIds: (string | null)[], id: string | null): string | null {
    if (id === null) return null
    const name = JSON.stringify(callerIds)
    const ids = this.#idsOf.get(name) ?? new Set()
    if (!ids.has(id) && (ids.size >= maxIdsOfCaller || this.#rows.size >= maxPerHour)) return null
    this.#idsOf.set(name, ids.add(id))
    return id
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
  }

  /** Writes the counted rows. If the write fails, the rows are added to the next write. */
  async #write(): Promise<void> {
    const rows = this.#unwritten
    if (rows.size === 0) return
    this.#unwritten = new Map()
    try {
      await this.#markExisting([...rows.values()])
      const values = [toJson([...rows.values()])]
      await this.#pool.query({ name: statementName(writeSql), text: writeSql, values })
    } catch (error) {
      this.#log.warn(
        { error: (error as Error).message },
        'failed to write rejected requests to the audit log; retrying with the next write',
      )
      for (const [id, row] of rows) {
        const laterRow = this.#unwritten.get(id)
        this.#unwritten.set(id, laterRow ? { ...laterRow, ...sumOf(row, laterRow) } : row)
      }
    }
  }

  /**
   * Sets in each row whether its record exists. Unlike the response, the audit log distinguishes an
   * existing record that is not visible to the caller from a record that never existed.
   */
  async #markExisting(rows: readonly Row[]): Promise<void> {
    const subjects = rows.flatMap(subjectsOf)
    if (subjects.length === 0) return
    const found = await this.#pool.query<{ subject: string }>({
      name: statementName(existingSql),
      text: existingSql,
      values: [subjects],
    })
    const existing = new Set(found.rows.map(({ subject }) => subject))
    for (const row of rows) {
      const rowSubjects = subjectsOf(row)
      if (rowSubjects.length > 0)
        row.is_there = rowSubjects.some((subject) => existing.has(subject))
    }
  }
}

function sumOf(row: Row, laterRow: Row): Pick<Row, 'count' | 'first_at'> {
  return { count: row.count + laterRow.count, first_at: row.first_at }
}

function subjectsOf({ code, resource_id: id }: Row): string[] {
  if (id === null || !code.endsWith('_NOT_FOUND')) return []
  const entity = code
    .replace(/_NOT_FOUND$/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  return [entity, ...(otherEntities[code] ?? [])].map((each) => `${each}/${id}`)
}

/**
 * Returns the text if it has the form of an ID; otherwise null, because a person may have typed
 * anything, such as a password.
 */
function idOrNull(text: string | null | undefined): string | null {
  return text && idPattern.test(text) ? text : null
}
