import type { Product, ProductParameter, ProductInterest } from '../model/product.ts'
import type { ProductStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import {
  depositInterestFromJson,
  depositInterestToJson,
} from '../../../kernel/domain/deposit-interest.ts'
import { overdraftTermsFromJson, overdraftTermsToJson } from '../../../kernel/domain/overdraft.ts'
import { feeFromJson, feeToJson, type FeeInJson } from '../../../kernel/domain/fee.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, update, type Row, type Write } from '../../../kernel/writing/writes.ts'
import type { VersionChange, ProductVersions } from '../domain/product.ts'
import { compareVersions } from '../domain/version-label.ts'
import { dateColumn } from './rows.ts'

type VersionRow = Prisma.ProductVersionGetPayload<object>

function fromRow(version: VersionRow): Product {
  const {
    label,
    version: rowVersion,
    parameters,
    fees,
    interest,
    depositInterest,
    overdraft,
    ...row
  } = version
  return {
    ...row,
    version: label,
    status: row.status as Product['status'],
    parameters: parameters as unknown as ProductParameter[],
    fees: (fees as unknown as FeeInJson[]).map(feeFromJson),
    interest: interest as unknown as ProductInterest | null,
    depositInterest:
      depositInterest === null ? null : depositInterestFromJson(depositInterest as object),
    overdraft: overdraft === null ? null : overdraftTermsFromJson(overdraft as object),
    effectiveFrom: dateColumn(row.effectiveFrom),
    effectiveTo: dateColumn(row.effectiveTo),
    rowVersion,
  }
}

function toRow({
  version,
  rowVersion,
  fees,
  depositInterest,
  overdraft,
  ...product
}: Product): Row {
  const columns = { ...product, label: version, version: rowVersion, fees: fees.map(feeToJson) }
  return columnsOf({
    ...columns,
    depositInterest: depositInterest && depositInterestToJson(depositInterest),
    overdraft: overdraft && overdraftTermsToJson(overdraft),
  })
}

/** The statuses that are hidden from delegated users. */
const hiddenStatuses = ['draft', 'withdrawn']

function visibleWhere(context: Context): Prisma.ProductVersionWhereInput {
  return context.caller.partyId ? { status: { notIn: hiddenStatuses } } : {}
}

const newestLast = (versions: Product[]) =>
  versions.sort((a, b) => compareVersions(a.version, b.version))

/** Reads a product with all its versions; null if it does not exist. */
export async function findProductVersions(
  context: Context,
  productId: string,
): Promise<ProductVersions | null> {
  // The product row must be read first: every later change of a version increments the row version
  // of the product, so that the commit detects the change.
  const productRow = await context.db.product.findUnique({ where: { productId } })
  if (!productRow) return null
  const rows = await context.db.productVersion.findMany({ where: { productId } })
  const { version: rowVersion, createdAt } = productRow
  return { productId, rowVersion, createdAt, versions: newestLast(rows.map(fromRow)) }
}

/**
 * Returns the writes for the created and changed versions of a product. They also increment the row
 * version of the product.
 */
export function productWrites(
  productVersions: ProductVersions | null,
  changes: readonly VersionChange[],
  now: Date,
): Write[] {
  const { productId } = changes[0]!.product
  const createdVersion = changes.find(({ event }) => event === 'products.product.created')?.product
  const statusChanges = changes.filter(({ product }) => product.version !== createdVersion?.version)
  return [
    productVersions
      ? update('products.product', { product_id: productId }, productVersions.rowVersion, {})
      : insert('products.product', { product_id: productId, version: 1, created_at: now }),
    ...(createdVersion ? [insert('products.product_version', toRow(createdVersion))] : []),
    ...statusChanges.map(({ product: { version, status, rowVersion, updatedAt } }) =>
      update(
        'products.product_version',
        { product_id: productId, label: version },
        rowVersion - 1,
        { status, updated_at: updatedAt },
      ),
    ),
  ]
}

/** Loads the versions of each product that are visible to the caller, newest last. */
export const loadVersions = loader<string, Product[]>(async (context, productIds) => {
  const rows = await context.db.productVersion.findMany({
    where: { productId: { in: [...productIds] }, ...visibleWhere(context) },
  })
  const versionsByProduct = new Map<string, Product[]>(
    productIds.map((productId) => [productId, []]),
  )
  for (const row of rows) versionsByProduct.get(row.productId)!.push(fromRow(row))
  return productIds.map((productId) => newestLast(versionsByProduct.get(productId)!))
})

/** Loads one version of a product; null if it does not exist or is not visible to the caller. */
export async function loadProduct(
  context: Context,
  { productId, version }: { productId: string; version: string },
): Promise<Product | null> {
  const versions = await loadVersions(context, productId)
  return versions?.find((product) => product.version === version) ?? null
}

export interface ProductFilter {
  productId: string | null
  search: string | null
  productClass: string | null
  status: ProductStatus | null
}

/** Lists the versions that are visible to the caller, in the order in which they were created. */
export async function listProducts(
  context: Context,
  filter: ProductFilter,
  after: string[] | null,
  take: number,
): Promise<Product[]> {
  const { status, search } = filter
  const text = (search ?? '').replace(/[\\%_]/g, '\\$&')
  const contained = { contains: text, mode: 'insensitive' } as const
  const rows = await context.db.productVersion.findMany({
    where: {
      AND: [
        visibleWhere(context),
        after ? afterKey(after) : {},
        search === null ? {} : { OR: [{ name: contained }, { productId: contained }] },
      ],
      ...(filter.productId !== null && { productId: filter.productId }),
      ...(filter.productClass !== null && { productClass: filter.productClass }),
      ...(status !== null && { status }),
    },
    orderBy: [{ createdAt: 'asc' }, { productId: 'asc' }, { label: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}

function afterKey([time, productId, label]: string[]): Prisma.ProductVersionWhereInput {
  const createdAt = new Date(time!)
  return {
    OR: [
      { createdAt: { gt: createdAt } },
      { createdAt, productId: { gt: productId! } },
      { createdAt, productId: productId!, label: { gt: label! } },
    ],
  }
}
