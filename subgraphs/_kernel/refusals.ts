import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Caller } from './caller.ts'
import { realNow } from './clock.ts'
import { idPattern } from './domain/ids.ts'
import { catalogue, type ProblemCode } from './domain/problem.ts'
import { statementName } from './statement-name.ts'
import { toJson } from './writes.ts'

/** Who tried what, and why it was not to be. */
export interface Refused {
  /** null when the token that was shown is not good: what it says is not to be believed. */
  caller: Caller | null
  /** The root field of the graph; the method and path where it was refused before that. */
  operation: string
  code: ProblemCode
  resourceId?: string | undefined
  requestId: string | null
}

/** What is alike within an hour, as one row. */
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
/** Rows of one process in one hour; what is beyond them is counted by its code alone. */
const mostInHour = 400
/** Records that one caller is told apart by in an hour; what is beyond them is counted without an id. */
const mostIdsOfCaller = 50

/** Records whose events have another name for them than the code has. */
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
const thereSql = 'select subject from kernel.event where subject = any($1) and sequence = 1'

/**
 * Whether a refusal is kept: a token that is not good, a right that is missing, a limit, and for
 * somebody who acts for a party also a record that is not there for them.
 */
function isKept({ caller, code, resourceId }: Refused): boolean {
  if (code === 'UNAUTHENTICATED') return false
  const { status } = catalogue[code]
  if (status === 401 || status === 403 || status === 429) return true
  return code.endsWith('_NOT_FOUND') && resourceId !== undefined && !!caller?.partyId
}

/**
 * Keeps attempts that were refused, off the path of the answer: they are counted here, and written
 * once a second in one statement. A flood fills neither memory nor disk: what is alike within an
 * hour is one row, of which a process writes 400 an hour at most. Nothing is kept but ids and codes.
 */
export class Refusals {
  readonly #pool: pg.Pool
  readonly #log: Logger
  #hour = 0
  /** The rows of this hour, by what makes them alike. */
  #known = new Map<string, Row>()
  readonly #idsOf = new Map<string, Set<string>>()
  #unwritten = new Map<string, Row>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  /** Counts a refusal when it is of a kind that is kept. Never throws and never waits. */
  note(refused: Refused): void {
    if (!isKept(refused)) return
    const now = realNow()
    this.#beginHour(now)
    const like = this.#rowLike(refused, now)
    const row = this.#unwritten.get(like.refusal_id)
    if (row) {
      row.count++
      row.last_at = now
      row.request_id = refused.requestId
    } else this.#unwritten.set(like.refusal_id, { ...like, count: 1, first_at: now })
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref()
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  #beginHour(now: Date): void {
    const hour = Math.floor(now.getTime() / hourMs)
    if (hour === this.#hour) return
    this.#hour = hour
    this.#known = new Map()
    this.#idsOf.clear()
  }

  /** The row that this is counted in; of those that are too many, one that says less. */
  #rowLike(refused: Refused, now: Date): Row {
    const { code, requestId } = refused
    const caller = refused.caller
    const who = [caller?.clientId, caller?.partyId, caller?.subject].map(idOrNull)
    const id = this.#idWithin(who, idOrNull(refused.resourceId))
    const found = this.#find([...who, refused.operation, code, id], now, requestId)
    return found ?? this.#find([null, null, null, '*', code, null], now, requestId)!
  }

  /** null when there is no room for one more row. */
  #find(like: (string | null)[], now: Date, requestId: string | null): Row | null {
    const key = JSON.stringify([this.#hour, ...like])
    const known = this.#known.get(key)
    if (known) return { ...known, last_at: now, request_id: requestId }
    const [client, party, subject, operation, code, resource] = like
    if (this.#known.size >= mostInHour && operation !== '*') return null
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
    this.#known.set(key, row)
    return row
  }

  #idWithin(who: (string | null)[], id: string | null): string | null {
    if (id === null) return null
    const name = JSON.stringify(who)
    const ids = this.#idsOf.get(name) ?? new Set()
    if (!ids.has(id) && (ids.size >= mostIdsOfCaller || this.#known.size >= mostInHour)) return null
    this.#idsOf.set(name, ids.add(id))
    return id
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
  }

  /** What cannot be written now is written with what comes next. */
  async #write(): Promise<void> {
    const rows = this.#unwritten
    if (rows.size === 0) return
    this.#unwritten = new Map()
    try {
      await this.#lookWhetherThere([...rows.values()])
      const values = [toJson([...rows.values()])]
      await this.#pool.query({ name: statementName(writeSql), text: writeSql, values })
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'refusals cannot be written')
      for (const [id, row] of rows) {
        const later = this.#unwritten.get(id)
        this.#unwritten.set(id, later ? { ...later, ...sumOf(row, later) } : row)
      }
    }
  }

  /** A record that was hidden is told from one that never was, here and not in the answer. */
  async #lookWhetherThere(rows: readonly Row[]): Promise<void> {
    const subjects = rows.flatMap(subjectsOf)
    if (subjects.length === 0) return
    const found = await this.#pool.query<{ subject: string }>({
      name: statementName(thereSql),
      text: thereSql,
      values: [subjects],
    })
    const there = new Set(found.rows.map(({ subject }) => subject))
    for (const row of rows) {
      const named = subjectsOf(row)
      if (named.length > 0) row.is_there = named.some((subject) => there.has(subject))
    }
  }
}

function sumOf(row: Row, later: Row): Pick<Row, 'count' | 'first_at'> {
  return { count: row.count + later.count, first_at: row.first_at }
}

function subjectsOf({ code, resource_id: id }: Row): string[] {
  if (id === null || !code.endsWith('_NOT_FOUND')) return []
  const entity = code
    .replace(/_NOT_FOUND$/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  return [entity, ...(otherEntities[code] ?? [])].map((each) => `${each}/${id}`)
}

/** What does not look like an id could be anything that somebody typed. */
function idOrNull(text: string | null | undefined): string | null {
  return text && idPattern.test(text) ? text : null
}
