import type { Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { feeFromJson, type Fee, type FeeInJson, type FeeWaiver } from '../../_kernel/domain/fee.ts'
import { readFacts } from '../../_kernel/facts.ts'
import { readRows } from '../../_kernel/read-rows.ts'

/** The fees of a product version. */
export interface VersionFees {
  version: string
  status: string
  createdOn: LocalDate
  fees: Fee[]
}

interface ProductFact {
  productId: string
  versions: { version: string; status: string; createdAt?: string; fees?: FeeInJson[] }[]
}

/** The versions of a product with their fees, newest last; null when there is no such product. */
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

/** The published fact of a campaign. */
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
 * Active and ended campaigns of a product: a period that began during a campaign stays waived
 * afterwards.
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

const everySql = "select data from kernel.fact where subject like 'product/%'"

/** The fees of all products. Reads every product. */
export async function readEveryProductFees({
  bank,
}: Context): Promise<{ productId: string; versions: VersionFees[] }[]> {
  const rows = await readRows<{ data: ProductFact }>(bank, everySql, [])
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
