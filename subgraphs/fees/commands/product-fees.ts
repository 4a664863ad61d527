import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import {
  feeFromJson,
  type Fee,
  type FeeInJson,
  type FeeWaiver,
} from '../../../kernel/domain/fee.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'

/** The fees of a product version. */
export interface VersionFees {
  version: string
  status: string
  createdOn: LocalDate
  fees: Fee[]
}

/** The published data of a product. */
interface ProductFact {
  productId: string
  versions: { version: string; status: string; createdAt?: string; fees?: FeeInJson[] }[]
}

/** Reads the versions of a product with their fees, newest last; null for an unknown product. */
export async function readProductFees(
  context: Context,
  productId: string,
): Promise<VersionFees[] | null> {
  const [fact] = await readFacts(context, [`product/${productId}`])
  if (!fact) return null
  const campaigns = await readCampaigns(context, productId)
  return feesOf(fact as unknown as ProductFact).map((version) => ({
    ...version,
    fees: version.fees.map((fee) => withCampaigns(fee, campaigns)),
  }))
}

/** The published data of a campaign. */
interface CampaignFact {
  campaignId: string
  status: string
  productIds: string[]
  segments: string[]
  validFrom: LocalDate
  validTo: LocalDate
  waivedFees: string[]
}

const campaignsSql = "select data from kernel.fact where subject like 'campaign/%'"

/**
 * Reads the active and ended campaigns of a product. Ended campaigns are included because a fee
 * remains waived for a period that began during the campaign.
 */
async function readCampaigns({ bank }: Context, productId: string): Promise<CampaignFact[]> {
  const rows = await readRows<{ data: CampaignFact }>(bank, campaignsSql, [])
  return rows
    .map(({ data }) => data)
    .filter(({ status, productIds }) => {
      return (status === 'active' || status === 'ended') && productIds.includes(productId)
    })
}

function withCampaigns(fee: Fee, campaigns: readonly CampaignFact[]): Fee {
  const waivers = campaigns
    .filter(({ waivedFees }) => waivedFees.includes(fee.code))
    .map(({ campaignId, validFrom: from, validTo: to, segments }): FeeWaiver => {
      return { kind: 'campaign', campaignCode: campaignId, from, to, segments }
    })
  return waivers.length === 0 ? fee : { ...fee, waivers: [...fee.waivers, ...waivers] }
}

const allProductsSql = "select data from kernel.fact where subject like 'product/%'"

/** Reads the fees of all products, without campaigns. */
export async function readFeesOfAllProducts({
  bank,
}: Context): Promise<{ productId: string; versions: VersionFees[] }[]> {
  const rows = await readRows<{ data: ProductFact }>(bank, allProductsSql, [])
  return rows.map(({ data }) => ({ productId: data.productId, versions: feesOf(data) }))
}

function feesOf({ versions }: ProductFact): VersionFees[] {
  return versions.map(({ version, status, createdAt, fees }) => ({
    version,
    status,
    createdOn: dateOf(new Date(createdAt ?? 0)),
    fees: (fees ?? []).map(feeFromJson),
  }))
}
