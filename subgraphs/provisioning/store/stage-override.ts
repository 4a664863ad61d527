import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { accountOf } from '../domain/overdraft-id.ts'
import { stageOverrideEvents, type StageOverrideEvent } from '../events.ts'
import type { StageOverride } from '../model/stage-override.ts'

export const stageOverrides = tableOf<StageOverride, Prisma.StageOverrideGetPayload<object>>(
  'provisioning.stage_override',
  'stageOverrideId',
  ({ db }) => db.stageOverride,
  (row) => ({
    ...row,
    stage: row.stage as StageOverride['stage'],
    status: row.status as StageOverride['status'],
  }),
)

export const stageOverrideKind: RecordKind<StageOverride, StageOverrideEvent> = {
  ...stageOverrides,
  ...stageOverrideEvents,
  // The ID of an overdraft, which no client can choose, is not an ID in the sense of events.
  snapshot: (override) =>
    stageOverrideEvents.snapshot({
      ...override,
      facilityId: accountOf(override.facilityId) ?? override.facilityId,
    }),
  id: 'stageOverride',
  notFound: 'STAGE_OVERRIDE_NOT_FOUND',
  created: 'provisioning.stage-override.set',
  // The stage of a facility is internal to the bank.
  ownersOf: () => [],
  isPublished: false,
}

/** Finds the overrides that apply to facilities, by facility ID. */
export async function findActiveOverrides(
  context: Context,
  facilityIds: readonly string[],
): Promise<Map<string, StageOverride>> {
  const where = { facilityId: { in: [...facilityIds] }, status: 'active' }
  const found = await stageOverrides.findMany(context, { where })
  return new Map(found.map((each) => [each.facilityId, each]))
}

/** Loads overrides by ID. For delegated users, the result is null. */
export const loadOverride = loader<string, StageOverride>(async (context, ids) =>
  context.caller.partyId === null ? stageOverrides.loadMany(context, ids) : ids.map(() => null),
)
