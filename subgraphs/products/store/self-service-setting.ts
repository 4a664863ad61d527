import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
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

const lastFirst = [{ decidedAt: 'desc' }, { selfServiceSettingId: 'desc' }]

/** Returns the IDs of the products of which customers may open accounts themselves, in their order. */
export async function findSelfServiceProductIds(context: Context): Promise<string[]> {
  const where = { state: 'approved' }
  const approved = await selfServiceSettingTable.findMany(context, { where, orderBy: lastFirst })
  const last = new Map<string, boolean>()
  for (const { productId, isAllowed } of approved) {
    if (!last.has(productId)) last.set(productId, isAllowed)
  }
  return [...last].flatMap(([productId, isAllowed]) => (isAllowed ? [productId] : [])).sort()
}
