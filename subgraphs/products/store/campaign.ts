import type { Campaign } from '../model/campaign.ts'
import type { CampaignStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { campaignEvents, type CampaignEvent } from '../events.ts'

export const campaignTable = tableOf<Campaign, Prisma.CampaignGetPayload<object>>(
  'products.campaign',
  'campaignId',
  ({ db }) => db.campaign,
  (row) => ({
    ...row,
    status: row.status as Campaign['status'],
    validFrom: dateOf(row.validFrom),
    validTo: dateOf(row.validTo),
    discountPct: row.discountPct && row.discountPct.toFixed(),
  }),
)

export const campaignKind: RecordKind<Campaign, CampaignEvent> = {
  ...campaignTable,
  ...campaignEvents,
  id: 'campaign',
  notFound: 'CAMPAIGN_NOT_FOUND',
  created: 'products.campaign.created',
  ownersOf: () => [],
  isPublished: true,
}

export interface CampaignFilter {
  productId: string | null
  status: CampaignStatus | null
}

/** The statuses that are hidden from delegated users. */
const hiddenStatuses: readonly CampaignStatus[] = ['draft', 'withdrawn']

/** Loads campaigns by ID. Those that do not exist or are not visible to the caller are null. */
export const loadCampaign = loader<string, Campaign>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => campaignTable.load(context, id)))
  const isBank = context.caller.partyId === null
  return found.map((each) =>
    each && (isBank || !hiddenStatuses.includes(each.status)) ? each : null,
  )
})

/** Lists the campaigns that are visible to the caller, in the order in which they were created. */
export function listCampaigns(
  context: Context,
  { productId, status }: CampaignFilter,
  after: string[] | null,
  take: number,
): Promise<Campaign[]> {
  const where = {
    status,
    productIds: productId === null ? null : { has: productId },
    ...(context.caller.partyId !== null && { NOT: { status: { in: [...hiddenStatuses] } } }),
  }
  return campaignTable.list(context, where, after, take)
}

/** Finds active campaigns whose last day has passed. */
export function findOverdueCampaigns(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<Campaign[]> {
  return campaignTable.findMany(context, {
    where: { status: 'active', validTo: { lt: new Date(today) } },
    orderBy: { validTo: 'asc' },
    take,
  })
}
