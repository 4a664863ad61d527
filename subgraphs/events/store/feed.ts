import type { Caller } from '../../../kernel/authorization/caller.ts'
import { mayReceiveType } from '../../../kernel/authorization/restricted-events.ts'
import { columnsAs } from '../../../kernel/database/read-rows.ts'
import { identityRecordEvent, type EventFilter } from '../../../kernel/domain/event-filter.ts'
import { matchesTypeSql } from '../../../kernel/events/matches-type-sql.ts'
import type { ArchiveFilter } from '../../../kernel/events/event-archive.ts'
import type { BusinessEvent } from '../model/business-event.ts'

/** An archived event whose row has stayed in the table. */
export type RetainedRow = Omit<BusinessEvent, 'position' | 'isArchived'> & { position: string }

/**
 * An event of a page, and the last position in the archive at that moment. A page without events has
 * one row without a position.
 */
export type FeedRow = Omit<RetainedRow, 'position'> & {
  position: string | null
  archivedThrough: string
}

const columns =
  columnsAs<BusinessEvent>('position', 'eventId', 'type', 'sequence', 'time', 'data') +
  ', subject as "subjectId", ' +
  columnsAs<BusinessEvent>('correlationId', 'causationId', 'actor')

/** The end of the archive, or the position after which the page starts if that is later. */
const startSql = '(select greatest($1::bigint, max(last_position)) from kernel.event_segment)'

/**
 * Adds to a page how far the archive reaches, and starts the page behind it: what is archived is read
 * there, because the table has no rows at most of its positions. One statement sees one state of
 * both: an event that moves to the archive meanwhile is on the page, or the archive reaches it.
 */
const withArchive = (pageSql: string) => `
  select page.*, archive.reach as "archivedThrough"
  from (select coalesce(max(last_position), 0) as reach from kernel.event_segment) archive
  left join lateral (${pageSql}) page on true
  order by page.position`

/** Returns the rows of archived events that have stayed in the table. */
export const retainedSql = `select ${columns} from kernel.event where position = any($1::bigint[])`

/**
 * Returns the events at positions that a subquery found. `offset 0` keeps the planner from joining in
 * another way: it does not know that the positions of a party can be far from those it starts with.
 */
const atPositions = (positions: string, condition: string) =>
  withArchive(`
  select logged.* from (${positions}) found
  cross join lateral (
    select ${columns} from kernel.event e where e.position = found.position and ${condition} offset 0
  ) logged
  order by found.position limit $2`)

const ofPartySql = atPositions(
  `select position from kernel.event_party where party_id = $3 and position > ${startSql} order by position`,
  'e.type <> all($4::text[]) and ' + `($5::text[] is null or ${matchesTypeSql('e.type', '$5')})`,
)

/**
 * Each type has its own place in the index, so that frequent events of other types cost nothing. That
 * index has no archived events except those whose rows have stayed, so the page may have them, too.
 */
const ofEachType = (typesSql: string) =>
  atPositions(
    `select next.position from ${typesSql} wanted(type) cross join lateral (
    select position from kernel.event where type = wanted.type and position > $1
    order by position limit $2) next
  order by next.position limit $2`,
    'true',
  )

const ofTypesSql = ofEachType('unnest($3::text[])')

/**
 * A pattern matches types of the log, and not only those that this process declares: processes of a
 * later release can emit others. Each step of the recursion finds the next type in the index.
 */
const ofPatternsSql = ofEachType(`(
    with recursive logged(type) as (
      select min(type) from kernel.event
      union all
      select (select min(e.type) from kernel.event e where e.type > logged.type)
      from logged where logged.type is not null
    )
    select type from logged where type <> all($4::text[]) and ${matchesTypeSql('type', '$3')}
  )`)

const ofSubjectSql = withArchive(`
  select ${columns} from kernel.event
  where subject = $3 and position > ${startSql} and type <> all($4::text[])
    and ($5::text[] is null or ${matchesTypeSql('type', '$5')}) and ($6::text is null or $6 = any(parties))
  order by sequence limit $2`)

const allSql = withArchive(`
  select ${columns} from kernel.event where position > ${startSql} and type <> all($3::text[])
  order by position limit $2`)

/**
 * Returns the statement for a page of the event log that a caller may see, and its values from `$3`
 * on. `$1` is the position after which the page starts, and `$2` the number of events. It has no
 * archived events, except some whose rows have stayed. What the statement reads depends on the size
 * of the page, and not on how many other events the log has. Delegated users see only the events of
 * their party. The events of the audit of identity need a scope of their own.
 */
export function feedQuery(
  caller: Caller,
  filter: EventFilter,
): { sql: string; values: unknown[]; archiveFilter: ArchiveFilter } {
  const { partyId } = caller
  const hidden = mayReceiveType(caller, identityRecordEvent) ? [] : [identityRecordEvent]
  const types = patternsOf(filter.types)?.filter((type) => !hidden.includes(type)) ?? null
  const { subject } = filter
  const archiveFilter = { subject, partyId, types, hiddenTypes: hidden }
  const page = (sql: string, ...values: unknown[]) => ({ sql, values, archiveFilter })
  if (subject) return page(ofSubjectSql, subject, hidden, types, partyId)
  if (partyId) return page(ofPartySql, partyId, hidden, types)
  if (!types) return page(allSql, hidden)
  const hasPatterns = types.some((type) => type.endsWith('.*'))
  return hasPatterns ? page(ofPatternsSql, types, hidden) : page(ofTypesSql, types)
}

/** Returns the types and patterns of a filter, each once; null for all types. */
function patternsOf(patterns: readonly string[] | null): string[] | null {
  return !patterns || patterns.includes('*') ? null : [...new Set(patterns)]
}
