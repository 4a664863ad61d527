import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { selfServiceSettingEvents, type SelfServiceSettingEvent } from '../events.ts'
import type { SelfServiceSetting } from '../model/self-service-setting.ts'

export const selfServiceSettingTable = tableOf<
  SelfServiceSetting,
  Prisma.SelfServiceSettingGetPayload<object>
>(
  'products.self_service_setting',
  'selfServiceSettingId',
  ({ db }) => db.selfServiceSetting,
  (row) => ({ ...row, state: row.state as SelfServiceSetting['state'] }),
)

export const selfServiceSettingKind: RecordKind<SelfServiceSetting, SelfServiceSettingEvent> = {
  ...selfServiceSettingTable,
  ...selfServiceSettingEvents,
  id: 'selfServiceSetting',
  notFound: 'SELF_SERVICE_SETTING_NOT_FOUND',
  created: 'products.self-service-setting.proposed',
  ownersOf: () => [],
  // The fact has the product as its subject.
  isPublished: false,
}

/**
 * Returns the IDs of the products of which customers may open accounts themselves, in their order. They
 * are read from the facts by which openings are decided: of two settings that are approved at the same
 * time, the rows do not say which one applies.
 */
export async function findSelfServiceProductIds(context: Context): Promise<string[]> {
  const where = { state: 'approved', isAllowed: true }
  const allowed = await selfServiceSettingTable.findMany(context, { where })
  const productIds = [...new Set(allowed.map(({ productId }) => productId))].sort()
  const facts = await readFacts(
    context,
    productIds.map((productId) => `self-service/${productId}`),
  )
  return productIds.filter((_, index) => facts[index]?.['isAllowed'] === true)
}
