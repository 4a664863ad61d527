import type { RegisteredRows } from '../../../kernel/domain/personal-data.ts'
import {
  endedBefore,
  erasedAt,
  retentionRules,
  type RetentionRule,
  type RetentionRuleName,
} from '../../../kernel/domain/retention.ts'
import { conditionOf, ownerOf, personalColumnsOf, type Column } from './columns.ts'
import type { DataSubject } from './data-subject.ts'

/** One step of an erasure: the columns of one table that have the same retention rule. */
export interface ErasureStep {
  area: string
  table: string
  rule: RetentionRuleName
  columns: readonly string[]
  /** The SQL assignments of an update; null if the rows are deleted. */
  assignments: string | null
  /** The SQL condition for all rows of the person, whose ID or username is `$1`. */
  condition: string
  /** The SQL condition for the rows that the step changes. */
  erasable: string
  /** The SQL condition for rows that stay although the step is due, with the reason. */
  exception: { condition: string; reason: string } | null
}

type PersonalColumnOf = ReturnType<typeof personalColumnsOf>[number]

/**
 * Returns the steps that erase the data of a party or an employee at a time, in the order of the
 * register. Throws an Error if a column has a type that the declaration does not say how to erase.
 */
export function erasureSteps(
  rows: readonly RegisteredRows[],
  tables: ReadonlyMap<string, readonly Column[]>,
  kind: DataSubject['kind'],
  now: Date,
): ErasureStep[] {
  return rows.flatMap((each) => {
    const owner = ownerOf(each, kind)
    if (owner === null) return []
    const byRule = new Map<RetentionRuleName, PersonalColumnOf[]>()
    for (const column of personalColumnsOf(each)) {
      const rule = column.rule ?? each.rule
      byRule.set(rule, [...(byRule.get(rule) ?? []), column])
    }
    return [...byRule].map(([rule, columns]) =>
      stepOf(each, conditionOf(owner), rule, columns, tables.get(each.table)!, now),
    )
  })
}

function stepOf(
  rows: RegisteredRows,
  condition: string,
  rule: RetentionRuleName,
  personal: readonly PersonalColumnOf[],
  columns: readonly Column[],
  now: Date,
): ErasureStep {
  const { area, table, isDeleted, erasable, sharedWith } = rows
  const whens = [
    ...(erasable ? [`(${erasable.when})`] : []),
    ...(sharedWith === undefined ? [] : [isDueForOthers(sharedWith, rule, now)]),
  ]
  const allowed = [condition, ...whens].join(' and ')
  const changes = isDeleted ? [] : personal.map((each) => changeOf(each, columns))
  const isChanged = changes.map(({ isDifferent }) => isDifferent).join(' or ')
  return {
    area,
    table,
    rule,
    columns: personal.map(({ name }) => name),
    assignments: isDeleted
      ? null
      : [...changes.map(({ assignment }) => assignment), ...versionChange(columns)].join(', '),
    condition,
    erasable: isDeleted ? allowed : `${allowed} and (${isChanged})`,
    exception: erasable
      ? { condition: `${condition} and not (${whens.join(' and ')})`, reason: erasable.reason }
      : null,
  }
}

/** Returns the SQL condition that the retention of all other parties of a row has ended, too. */
function isDueForOthers(sharedWith: string, rule: RetentionRuleName, now: Date): string {
  const before = endedBefore(retentionRules[rule], now)
  if (before === null) return 'false'
  return (
    `not exists (select from unnest(${sharedWith}) o (party_id) where o.party_id <> $1 ` +
    'and not exists (select from privacy.relationship_end e ' +
    `where e.subject = 'party/' || o.party_id and e.ended_at < '${before.toISOString()}'))`
  )
}

/** A concurrent command that read the row before is decided again. */
function versionChange(columns: readonly Column[]): string[] {
  const isVersioned = columns.some(({ name, isKey }) => name === 'version' && !isKey)
  return isVersioned ? ['version = t.version + 1'] : []
}

function changeOf(personal: PersonalColumnOf, columns: readonly Column[]) {
  const column = columns.find(({ name }) => name === personal.name)!
  const value = erasedValue(personal, column)
  const comparable = column.type.startsWith('json') ? 'jsonb' : 'text'
  return {
    assignment: `${column.name} = ${value}`,
    isDifferent: `t.${column.name}::${comparable} is distinct from (${value})::${comparable}`,
  }
}

/** The text that replaces an erased text that cannot be null. */
const placeholder = "'[erased]'"

function erasedValue({ name, members, erasedTo }: PersonalColumnOf, column: Column): string {
  const { type, isNullable, table } = column
  if (members !== undefined) {
    const names = members.split(/\s+/).join(',')
    return `kernel.redacted(t.${name}::jsonb, '{${names}}')::${type}`
  }
  if (erasedTo !== undefined) return `(${erasedTo})::${type}`
  if (isNullable) return `null::${type}`
  if (type === 'text') return placeholder
  if (type === 'text[]') return `'{}'::text[]`
  throw new Error(`The register does not say how ${table}.${name} is erased.`)
}

/** Returns the next step that the report of an erasure lacks; null if the report is complete. */
export function nextStep(
  steps: readonly ErasureStep[],
  lines: readonly { tableName: string; columns: readonly string[] }[],
): ErasureStep | null {
  const keyOf = (table: string, columns: readonly string[]) => `${table} ${columns.join(' ')}`
  const done = lines.map(({ tableName, columns }) => keyOf(tableName, columns))
  const isMissing = ({ table, columns }: ErasureStep) => {
    // Two steps can have the same columns of the same table, so each line counts for one step.
    const at = done.indexOf(keyOf(table, columns))
    if (at >= 0) done.splice(at, 1)
    return at < 0
  }
  return steps.find(isMissing) ?? null
}

/** What an erasure is decided on. */
export interface ErasureTerms {
  cause: 'request' | 'retention'
  /** When the relationship with the party ended. */
  endedAt: Date
}

/** Whether a rule allows to erase now, and otherwise until when it keeps the data and why. */
export function verdictOf(
  name: RetentionRuleName,
  { cause, endedAt }: ErasureTerms,
  now: Date,
): { isDue: true } | { isDue: false; keptUntil: Date | null; reason: string } {
  const rule: RetentionRule = retentionRules[name]
  if (cause === 'request' && rule.isErasedOnRequest) return { isDue: true }
  const keptUntil = erasedAt(rule, endedAt)
  if (keptUntil && keptUntil <= now) return { isDue: true }
  return { isDue: false, keptUntil, reason: rule.reason }
}

/**
 * Returns when the next retention period ends after `now`, for a relationship that ended at
 * `endedAt`; null if nothing is left to erase.
 */
export function nextDueAt(
  rules: Iterable<RetentionRuleName>,
  endedAt: Date,
  now: Date,
): Date | null {
  const due = [...new Set(rules)].flatMap((name) => {
    const at = erasedAt(retentionRules[name], endedAt)
    return at && at > now ? [at] : []
  })
  return due.length === 0 ? null : new Date(Math.min(...due.map((at) => at.getTime())))
}
