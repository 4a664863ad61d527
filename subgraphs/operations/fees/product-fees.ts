import type { Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { feeFromJson, type Fee, type FeeInJson } from '../../_kernel/domain/fee.ts'
import { readFacts } from '../../_kernel/facts.ts'
import { readRows } from '../../_kernel/read-rows.ts'

/** A version of a product, as far as its fees go. */
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
  return fact ? feesOf(fact as unknown as ProductFact) : null
}

const everySql = "select data from kernel.fact where subject like 'product/%'"

/** The fees of all products. Reads every product there is. */
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
