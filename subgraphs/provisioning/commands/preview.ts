import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { overdraftProvisionId } from '../domain/overdraft-id.ts'
import { assessFacility, type Assessment, type RiskFacility } from '../domain/provision.ts'
import { Problem } from '../domain/problems.ts'
import { provisions } from '../store/provision.ts'
import { findTableInEffect } from '../store/provisioning-table.ts'
import { findActiveOverrides } from '../store/stage-override.ts'
import { readFacility } from './risk-facilities.ts'
import { readOverdraft } from './risk-overdrafts.ts'
import { missingSegment } from './run-page.ts'

type Preview = Assessment & { beforeMinor: bigint }

/**
 * Computes what a run would provide for a facility today, without booking. Throws
 * FACILITY_NOT_FOUND, FACILITY_WITHOUT_EXPOSURE and PROVISIONING_TABLE_MISSING.
 */
export function previewProvision(context: Context, facilityId: string): Promise<Preview> {
  return previewOf(context, facilityId, readFacility(context, facilityId))
}

/**
 * Computes what a run would provide for the overdraft of an account today, without booking. Throws
 * ARRANGEMENT_NOT_FOUND, FACILITY_WITHOUT_EXPOSURE and PROVISIONING_TABLE_MISSING.
 */
export function previewOverdraftProvision(
  context: Context,
  arrangementId: string,
): Promise<Preview> {
  const id = overdraftProvisionId(arrangementId)
  return previewOf(context, id, readOverdraft(context, arrangementId))
}

async function previewOf(
  context: Context,
  facilityId: string,
  reading: Promise<RiskFacility>,
): Promise<Preview> {
  const today = dateOf(context.now())
  const [facility, table, previous, overrides] = await Promise.all([
    reading,
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
