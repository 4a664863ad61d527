import type { Bank } from '../environment/bank.ts'
import type { PersonalCipher } from '../environment/personal-cipher.ts'
import type { EventRow } from '../events/events.ts'
import type { CommandScope } from './command-scope.ts'
import type { PreparedCommit, PreparedEvents, Statement } from './gathered-commits.ts'
import { composites, textArray } from './composites.ts'
import { statementName } from '../database/statement-name.ts'
import { metersOf } from '../telemetry/meters.ts'
import { inSpan, SpanKind } from '../telemetry/tracing.ts'
import { toJson, type Row, type Write } from './writes.ts'

/** A row that stores the idempotency key and the response of a command. */
export interface Claim {
  owner: string
  operation: string
  key: string
  fingerprint: string
  answer: string
  resourceId: string | null
  createdAt: Date
  /**
   * Whether the row is stored permanently. Set for operations that move money, and for the bank's
   * own operations.
   */
  isRetained: boolean
  /** The subjects of the facts about the persons whom the response is about. */
  persons: readonly string[]
}

/** The content of one commit. */
export interface Commit {
  /**
   * The idempotency keys to store: one for a command with a key, several for commands that are
   * decided as a group. Empty if the work may be repeated.
   */
  claims: readonly Claim[]
  writes: readonly Write[]
  events: readonly EventRow[]
  facts: readonly Row[]
}

const claimSql =
  'insert into kernel.idempotency (owner, operation, key, fingerprint, answer, resource_id, created_at, is_retained, persons) ' +
  'values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning 1'

/**
 * Stores the keys of a group. Each command is decided on the results of the previous ones, so they
 * commit together: if one key is already in use, the whole statement fails.
 */
const claimsSql =
  'insert into kernel.idempotency select c.* from unnest($1::kernel.idempotency[]) c returning 1'

const eventsSql =
  'insert into kernel.outbox (event_count, events) select $1::int, $2::json from claim returning 1'

const factsSql =
  'insert into kernel.fact (subject, version, data) select f.subject, 1, f.data ' +
  'from claim, json_populate_recordset(null::kernel.fact, $1::json) f ' +
  'on conflict (subject) do update set version = kernel.fact.version + 1, data = excluded.data returning 1'

/**
 * Commits a decision in one statement: stores the idempotency key, performs the writes, and
 * publishes the facts; its group appends the events to the log. Returns false, with nothing written,
 * if its only key is already in use. Throws SQLSTATE BG001 if a write affects an unexpected number
 * of rows, and 23505 if one of several keys is already in use. If `scope` has a transaction in which
 * the command locked rows, the statement commits in it, with the events in the outbox.
 */
export async function commit(
  bank: Bank,
  decided: Commit,
  scope: CommandScope | null,
): Promise<boolean> {
  const { commits } = metersOf(bank)
  const startedAt = performance.now()
  let outcome: 'committed' | 'replayed' | 'failed' = 'failed'
  try {
    const attributes = { 'bankgraph.events': decided.events.length }
    const isCommitted = await inSpan('commit', SpanKind.CLIENT, attributes, () =>
      commitOnce(bank, decided, scope),
    )
    outcome = isCommitted ? 'committed' : 'replayed'
    return isCommitted
  } finally {
    commits.observe({ outcome }, (performance.now() - startedAt) / 1000)
  }
}

async function commitOnce(
  bank: Bank,
  decided: Commit,
  scope: CommandScope | null,
): Promise<boolean> {
  if (!scope?.transaction) {
    const row = await bank.commits.commit(preparedCommit(decided, bank.cipher))
    return row['claimed'] === 1
  }
  const row = await scope.commit(statement(decided, bank.cipher))
  if (decided.events.length > 0) bank.events.wakeSequencer()
  return row['claimed'] === 1
}

/** Prepares a commit to run in a group. */
function preparedCommit(decided: Commit, cipher: PersonalCipher): PreparedCommit {
  if (decided.events.length === 0) return { statement: statement(decided, cipher), events: null }
  const events = preparedEvents(decided, cipher)
  return { statement: statementOf({ ...decided, events: [] }, cipher, reportClaim), events }
}

function preparedEvents(decided: Commit, cipher: PersonalCipher): PreparedEvents {
  return {
    headers: decided.events.map(({ event_id, type, subject, parties, correlation_id }) => ({
      eventId: event_id,
      type,
      subject,
      parties: [...parties],
      correlationId: correlation_id,
    })),
    json: eventsJson(decided, cipher),
    statementWithOutbox: () => statement(decided, cipher),
  }
}

const eventsJson = ({ events }: Commit, cipher: PersonalCipher) =>
  toJson(cipher.encryptValue('kernel.outbox', 'events', events))

/**
 * Adds a digit to the setting that tells `kernel.append_commits` which commits of the transaction
 * wrote anything: 0 if the idempotency key was already in use.
 */
const reportClaim =
  ", set_config('bankgraph.claimed', coalesce(current_setting('bankgraph.claimed', true), '') || (select count(*) from claim), true) as reported"

/** Cached statement texts by the SQL of their parts. There are about as many as commands. */
const cachedTexts = new Map<string, { name: string; text: string }>()

/**
 * Builds the commit as one data-modifying statement that is complete in itself: its events go to
 * the outbox. Its text does not depend on the values, so PostgreSQL keeps it prepared. The cipher
 * encrypts the personal data in the values.
 */
export function statement(decided: Commit, cipher: PersonalCipher): Statement {
  return statementOf(decided, cipher)
}

/** Builds a commit that also selects the expressions `extraColumns`. */
function statementOf(decided: Commit, cipher: PersonalCipher, extraColumns = ''): Statement {
  const writes = [...decided.writes]
  const { events, facts } = decided
  if (events.length > 0) {
    const values = [events.length, eventsJson(decided, cipher)]
    writes.push({ sql: eventsSql, values, rows: 1 })
  }
  if (facts.length > 0) {
    writes.push({ sql: factsSql, values: [toJson(facts)], rows: facts.length })
  }
  const claims = cipher.isOn
    ? decided.claims.map((claim) => withEncryptedAnswer(claim, cipher))
    : decided.claims
  const head = heads[claims.length === 0 ? 'free' : claims.length === 1 ? 'one' : 'many']
  const key = `${head.sql}\n${writes.map(({ sql }) => sql).join('\n')}${extraColumns}`
  let cachedText = cachedTexts.get(key)
  if (!cachedText) {
    const text = textOf(head, writes) + extraColumns
    cachedText = { name: statementName(text), text }
    cachedTexts.set(key, cachedText)
  }
  const values = head.values(claims)
  for (const write of writes) values.push(...valuesOf(write, cipher), write.rows)
  return { ...cachedText, values }
}

const withEncryptedAnswer = (claim: Claim, cipher: PersonalCipher): Claim => ({
  ...claim,
  answer: cipher.encryptValue('kernel.idempotency', 'answer', claim.answer) as string,
})

function valuesOf({ values, encodes }: Write, cipher: PersonalCipher): readonly unknown[] {
  if (!encodes || !cipher.isOn) return values
  return values.map((value, index) =>
    encodes.at.includes(index) ? cipher.encryptRows(encodes.table, value as string) : value,
  )
}

/**
 * The beginnings of a commit statement, for no key, one key, and several keys. Each defines
 * `claim`, from which all later parts select, so that they write nothing if `claim` is empty.
 */
const heads = {
  free: { sql: 'claim as (select 1)', columns: 0, values: (): unknown[] => [] },
  one: {
    sql: `claim as (${claimSql})`,
    columns: 9,
    values: ([claim]: readonly Claim[]) => claimValues(claim!),
  },
  many: {
    sql: `taken as (${claimsSql}), claim as (select 1 from kernel.expect((select count(*) from taken), $2::int))`,
    columns: 2,
    values: (claims: readonly Claim[]): unknown[] => [
      composites(claims.map(claimValues)),
      claims.length,
    ],
  },
}
type Head = (typeof heads)[keyof typeof heads]

/**
 * Builds the SQL text. The parameters of each part are numbered after those of the previous part.
 * The last parameter of a write is the number of rows it must affect.
 */
function textOf(head: Head, writes: readonly Write[]): string {
  const parts = [head.sql]
  const expected: string[] = []
  let answerColumns = ''
  let parameterCount = head.columns
  writes.forEach(({ sql, values, answers: column }, index) => {
    const offset = parameterCount
    parts.push(`w${index} as (${sql.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`)})`)
    parameterCount += values.length + 1
    if (column) answerColumns += `, (select ${column} from w${index}) as ${column}`
    expected.push(`kernel.expect((select count(*) from w${index}), $${parameterCount}::int)`)
  })
  const check = expected.length
    ? `case when exists (select from claim) then ${expected.join(' + ')} end`
    : 'null'
  return `with ${parts.join(', ')} select (select count(*)::int from claim) as claimed, ${check} as checked${answerColumns}`
}

/** Returns the values of an idempotency row in the order of the table's columns. */
function claimValues(claim: Claim) {
  const { owner, operation, key, fingerprint, answer, resourceId, createdAt, isRetained } = claim
  const persons = textArray(claim.persons)
  return [owner, operation, key, fingerprint, answer, resourceId, createdAt, isRetained, persons]
}
