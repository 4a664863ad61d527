import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { assessFacility, assessOverlays, type Assessment } from '../domain/provision.ts'
import { Problem } from '../domain/problems.ts'
import { advanceRun } from '../domain/provisioning-run.ts'
import { provisionEvent, provisioningRunEvents } from '../events.ts'
import type { Provision, ProvisionItem } from '../model/provision.ts'
import type { ProvisioningRun } from '../model/provisioning-run.ts'
import type { ProvisioningTable } from '../model/provisioning-table.ts'
import {
  findOverlays,
  findProcessed,
  insertItems,
  provisions,
  putProvisions,
} from '../store/provision.ts'
import { provisioningRuns } from '../store/provisioning-run.ts'
import { provisioningTables } from '../store/provisioning-table.ts'
import { findActiveOverrides } from '../store/stage-override.ts'
import { bookAsBank, changePosting } from './postings.ts'
import type { FacilityPage } from './facility-page.ts'
import { readPage } from './risk-facilities.ts'

/** The number of facilities per page. They are booked in one commit with the checkpoint. */
export const pageSize = 200

/**
 * Provides for one page of facilities: the items, the postings, the provisions and the checkpoint of
 * the run are one commit. Nothing is written if another worker has committed the page. After the
 * last page, the overlays of segments are booked and the run is completed.
 */
export async function processPage(context: Context, run: ProvisioningRun): Promise<void> {
  const { provisioningRunId } = run
  const page = await readPage(context, pageSize, run.checkpoint)
  await command<void>(context, 'provisioningRunPage', { provisioningRunId }, async () => {
    const before = await provisioningRuns.find(context, provisioningRunId)
    if (before?.version !== run.version) return { result: undefined }
    const table = await provisioningTables.find(context, before.provisioningTableId!)
    const { assessments, held } = await assessPage(context, before, table!, page)
    const changes = await bookChanges(context, before, assessments, held)
    const count = assessments.filter(({ facilityId }) => facilityId !== null).length
    const advanced = advanceRun(before, count, page.next, context.now())
    const after = { ...advanced, version: before.version + 1 }
    const completed =
      after.status === 'completed'
        ? [provisioningRunEvents.event('provisioning.run.completed', after)]
        : []
    return {
      result: undefined,
      writes: [provisioningRuns.update(before, after), ...changes.writes],
      events: [...changes.events, ...completed],
    }
  })
}

/** Returns the results of a page that are not booked yet, and the provisions that they change. */
async function assessPage(
  context: Context,
  run: ProvisioningRun,
  table: ProvisioningTable,
  { facilities: read, next }: FacilityPage,
) {
  // A table without the segment leaves overdrafts out, so that a table of before still applies.
  const hasOverdrafts = table.segments.some(({ segment }) => segment === 'overdraft')
  const facilities = read.filter(({ segment }) => segment !== 'overdraft' || hasOverdrafts)
  const ids = facilities.map(({ facilityId }) => facilityId)
  const [found, overlays, overrides] = await Promise.all([
    provisions.loadMany(context, ids),
    next === null ? findOverlays(context) : [],
    findActiveOverrides(context, ids),
  ])
  const held = new Map(
    [...found, ...overlays].flatMap((each) => (each ? [[each.provisionId, each] as const] : [])),
  )
  const assessed = facilities.map((facility) => {
    const risk = table.segments.find(({ segment }) => segment === facility.segment)
    if (!risk) throw missingSegment(facility.segment, table.provisioningTableId)
    const { facilityId } = facility
    const previous = held.get(facilityId) ?? null
    const override = overrides.get(facilityId)?.stage ?? null
    return assessFacility(facility, risk, previous, override, run.monthEnd)
  })
  const overlaid = next === null ? assessOverlays(table.segments, overlays, run.monthEnd) : []
  const all = [...assessed, ...overlaid]
  const processed = await findProcessed(
    context,
    run,
    all.map(({ provisionId }) => provisionId),
  )
  return { assessments: all.filter(({ provisionId }) => !processed.has(provisionId)), held }
}

/** The problem of a facility whose segment the table does not have. */
export function missingSegment(segment: string, resourceId: string): Problem {
  const detail = `The table ${resourceId} has no parameters for the segment ${segment}.`
  return new Problem('PROVISIONING_TABLE_MISSING', { detail, resourceId })
}

async function bookChanges(
  context: Context,
  run: ProvisioningRun,
  assessments: readonly Assessment[],
  held: ReadonlyMap<string, Provision>,
) {
  const now = context.now()
  const changeOf = ({ provisionId, allowanceMinor }: Assessment) =>
    run.isDryRun ? 0n : allowanceMinor - (held.get(provisionId)?.allowanceMinor ?? 0n)
  const changed = assessments.filter((each) => changeOf(each) !== 0n)
  const booked = await bookAsBank(
    context,
    changed.map((each) => ({
      facilityId: each.facilityId,
      posting: changePosting(now, each.provisionId, changeOf(each), each.currency),
    })),
  )
  const postingIds = new Map(
    changed.map(({ provisionId }, at) => [provisionId, booked.records[at]!.postingInstructionId]),
  )
  const items = assessments.map((each) =>
    itemOf(context, run, each, held.get(each.provisionId), postingIds.get(each.provisionId)),
  )
  if (run.isDryRun) return { writes: insertItems(items), events: [] }
  const after = assessments.map((each) => provisionOf(run, each, held.get(each.provisionId), now))
  const restaged = after.filter(({ provisionId, stage }) => {
    const before = held.get(provisionId)?.stage ?? 'stage-1'
    return stage !== null && stage !== before
  })
  return {
    writes: [...insertItems(items), ...putProvisions(after), ...booked.writes],
    events: [
      ...restaged.map((each) => provisionEvent(each, 'provisioning.provision.stage-changed')),
      ...booked.events,
    ],
  }
}

function itemOf(
  context: Context,
  { provisioningRunId, monthEnd, isDryRun }: ProvisioningRun,
  { stageSince: _, improvingSince: _improvingSince, ...assessment }: Assessment,
  before: Provision | undefined,
  postingInstructionId: string | undefined,
): ProvisionItem {
  return {
    ...assessment,
    itemId: context.newId('provisionItem'),
    provisioningRunId,
    monthEnd,
    isDryRun,
    beforeMinor: before?.allowanceMinor ?? 0n,
    usedMinor: 0n,
    postingInstructionId: postingInstructionId ?? null,
    createdAt: context.now(),
  }
}

function provisionOf(
  { monthEnd }: ProvisioningRun,
  assessment: Assessment,
  before: Provision | undefined,
  now: Date,
): Provision {
  const { provisionId, facilityId, partyId, segment, currency, stage, reasons } = assessment
  const { stageSince, improvingSince, exposureMinor, allowanceMinor } = assessment
  return {
    provisionId,
    facilityId,
    partyId,
    segment,
    currency,
    stage,
    reasons,
    stageSince,
    improvingSince,
    exposureMinor,
    allowanceMinor,
    monthEnd,
    version: (before?.version ?? 0) + 1,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
}
