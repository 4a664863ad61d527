import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { assessFacility, type Assessment } from '../domain/provision.ts'
import { Problem } from '../domain/problems.ts'
import { provisions } from '../store/provision.ts'
import { findTableInEffect } from '../store/provisioning-table.ts'
import { findActiveOverrides } from '../store/stage-override.ts'
import { readFacility } from './risk-facilities.ts'
import { missingSegment } from './run-page.ts'

/**
 * Computes what a run would provide for a facility today, without booking. Throws
 * FACILITY_NOT_FOUND, FACILITY_WITHOUT_EXPOSURE and PROVISIONING_TABLE_MISSING.
 */
export async function previewProvision(
  context: Context,
  facilityId: string,
): Promise<Assessment & { beforeMinor: bigint }> {
  const today = dateOf(context.now())
  const [facility, table, previous, overrides] = await Promise.all([
    readFacility(context, facilityId),
    findTableInEffect(context, today),
    provisions.find(context, facilityId),
    findActiveOverrides(context, [facilityId]),
  ])
  if (!table) {
    const detail = `No approved provisioning table is in effect on ${today}.`
    throw new Problem('PROVISIONING_TABLE_MISSING', { detail })
  }
  const risk = table.segments.find(({ segment }) => segment === facility.segment)
  if (!risk) throw missingSegment(facility.segment, table.provisioningTableId)
  const override = overrides.get(facilityId)?.stage ?? null
  const assessment = assessFacility(facility, risk, previous, override, today)
  return { ...assessment, beforeMinor: previous?.allowanceMinor ?? 0n }
}
