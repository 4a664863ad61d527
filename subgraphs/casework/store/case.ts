import { isAnyDueSql } from '../../../kernel/database/heartbeat.ts'
import type { Case, Entry } from '../model/case.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { filterSubject } from '../../../kernel/domain/filter-value.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { insert, update, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { rulesOf } from '../domain/case-type.ts'
import { ownersOf } from '../domain/case.ts'
import type { CaseEvent } from '../events.ts'

export const caseTable = tableOf<Case>('casework.case_file', 'caseId', ({ db }) => db.caseFile)

export const caseKind: RecordKind<Case, CaseEvent> = {
  ...caseTable,
  entity: 'case',
  id: 'case',
  notFound: 'CASE_NOT_FOUND',
  created: 'casework.case.opened',
  ownersOf,
  snapshot: (caseFile) => {
    const { caseId, caseType, partyId, subjects, status, priority, assigneeId, queueId } = caseFile
    const { dueAt, breachedAt } = caseFile
    const header = { caseId, caseType, partyId, subjects, status, priority }
    return { ...header, assigneeId, queueId, dueAt, breachedAt, visibleTo: ownersOf(caseFile) }
  },
  isPublished: true,
}

/** Loads cases by ID. Cases that the caller may not see are null. */
export const loadCase = loader<string, Case>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => caseTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

interface CaseFilter {
  partyId: string | null
  caseType: string | null
  status: string | null
  assigneeId: string | null
  subject: string | null
}

const confidentialTypes = Object.entries(rulesOf)
  .filter(([, { isConfidential }]) => isConfidential)
  .map(([caseType]) => caseType)

/**
 * Returns the cases that the caller may see, in the order they were opened. Throws
 * VALIDATION_FAILED if the subject does not have the form `<entity>/<id>`.
 */
export async function listCases(
  context: Context,
  { caseType, status, assigneeId, ...filter }: CaseFilter,
  after: string[] | null,
  take: number,
): Promise<Case[]> {
  const { caller } = context
  const subject = filterSubject(filter.subject, '/subject')
  const partyId = filter.partyId ?? caller.partyId
  if (!maySee(caller, [partyId])) return []
  const where = {
    partyId,
    status,
    assigneeId,
    subjects: subject === null ? null : { has: subject },
    caseType: {
      ...(caseType !== null && { equals: caseType }),
      ...(caller.partyId !== null && { notIn: confidentialTypes }),
    },
  }
  return caseTable.list(context, where, after, take)
}

/** Whether there are cases at risk, or past their deadline, that were not reported. */
export const areAlarmsDueSql = [
  isAnyDueSql('casework.case_file', 'due_at', 'due_at <= $1 and breached_at is null'),
  isAnyDueSql('casework.case_file', 'warn_at', 'warn_at <= $1'),
].join(' or ')

/** Returns cases with an alarm that is due and was not reported yet. */
export function findDueAlarms(context: Context, now: Date, take: number): Promise<Case[]> {
  return caseTable.findMany(context, {
    where: { OR: [{ dueAt: { lte: now }, breachedAt: null }, { warnAt: { lte: now } }] },
    orderBy: { dueAt: 'asc' },
    take,
  })
}

/** Returns the write that marks alarms as reported. The cases already have their new versions. */
export function writeAlarms(cases: readonly Case[]): Write {
  return updateMany(
    'casework.case_file',
    'case_id',
    cases.map(({ caseId, version, warnAt, breachedAt, entries, updatedAt }) => ({
      case_id: caseId,
      version: version - 1,
      warn_at: warnAt,
      breached_at: breachedAt,
      entries,
      updated_at: updatedAt,
    })),
  )
}

export function insertEntries(entries: readonly Entry[]): Write {
  const rows = entries.map(({ caseId, number, kind, text, isShared, by, at }) => {
    return { case_id: caseId, number, kind, text, is_shared: isShared, by, at }
  })
  return insert('casework.case_entry', ...rows)
}

const entriesSql = `
  select ${columnsAs<Entry>('caseId', 'number', 'kind', 'text', 'isShared', 'by', 'at')}
  from unnest($1::text[]) c(id) cross join lateral (
    select * from casework.case_entry
    where case_id = c.id and number > $2 and (is_shared or $3) order by number limit $4
  ) entry`

const loadEntries = listLoader(
  async (context, caseIds, { after, take }: { after: number; take: number }) => {
    const values = [caseIds, after, context.caller.partyId === null, take]
    const rows = await readRows<Entry & Record<string, unknown>>(context.bank, entriesSql, values)
    const visibleRows = await context.keepVisible('caseEntry', rows)
    return listsByKey(caseIds, visibleRows, ({ caseId }) => caseId)
  },
)

/** Returns the timeline of a case, oldest entry first. Delegated users get only shared entries. */
export function listEntries(
  context: Context,
  caseId: string,
  after: string[] | null,
  take: number,
): Promise<Entry[]> {
  return loadEntries(context, caseId, { after: Number(after?.[0] ?? 0), take })
}

/**
 * The task to find an agent for a case. Its ID is also the ID of the interaction in the `channels`
 * area.
 */
export interface Task {
  taskId: string
  caseId: string
  routingProfileId: string
  /**
   * `wanted` if the interaction must be created, `placed` if it exists, `returning` if it must be
   * ended, and `returned` if it has ended or routing rejected it.
   */
  state: 'wanted' | 'placed' | 'returning' | 'returned'
  version: number
}

export function insertTask(task: Omit<Task, 'state' | 'version'>, createdAt: Date): Write {
  return insert('casework.task', {
    task_id: task.taskId,
    case_id: task.caseId,
    routing_profile_id: task.routingProfileId,
    state: 'wanted',
    version: 1,
    created_at: createdAt,
  })
}

export function writeTaskState({ taskId, version }: Task, state: Task['state']): Write {
  return update('casework.task', { task_id: taskId }, version, { state })
}

/** Whether there are tasks to route or to end. */
export const areTasksDueSql =
  "exists (select from casework.task where state in ('wanted', 'returning'))"

/** Returns tasks whose interaction must be created or ended, oldest first. */
export async function findTasks(context: Context, take: number): Promise<Task[]> {
  const rows = await context.db.caseTask.findMany({
    where: { state: { in: ['wanted', 'returning'] } },
    orderBy: [{ createdAt: 'asc' }, { taskId: 'asc' }],
    take,
  })
  return rows.map((row) => ({ ...row, state: row.state as Task['state'] }))
}

/** Returns a task; null if it does not exist. */
export async function findTask(context: Context, taskId: string): Promise<Task | null> {
  const row = await context.db.caseTask.findUnique({ where: { taskId } })
  return row && { ...row, state: row.state as Task['state'] }
}
