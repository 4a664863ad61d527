import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import {
  addVersion,
  hashedContent,
  productContent,
  versionChanges,
  type NewProduct,
  type ProductEvent,
  type ProductVersions,
  type VersionChange,
} from '../domain/product.ts'
import { compareVersions } from '../domain/version-label.ts'
import { productFact } from '../facts.ts'
import { eventDataOf } from '../../../kernel/events/record-data.ts'
import { Product } from '../model/product.ts'
import { requireFixings, requireReferenceRate } from './reference-rate.ts'
import { findProductVersions, productWrites } from '../store/product.ts'

/**
 * Adds a version to an existing or a new product. Repeating the request with the same version and
 * content returns the existing version.
 * Throws INVALID_INITIAL_STATUS, PRODUCT_VERSION_EXISTS, REFERENCE_RATE_NOT_FOUND,
 * REFERENCE_RATE_NOT_FIXED, and whatever `addVersion` throws.
 */
export function createProduct(context: Context, request: NewProduct): Promise<Product> {
  return command(context, 'createProduct', request, async () => {
    const content = productContent(request)
    const contentHash = fingerprint('createProduct', hashedContent(content))
    const productVersions = await findProductVersions(context, request.productId)
    const existing = productVersions?.versions.find(({ version }) => version === request.version)
    if (existing) {
      const { productId: resourceId, version } = existing
      if (existing.contentHash === contentHash) return { result: existing, resourceId }
      throw new Problem('PRODUCT_VERSION_EXISTS', {
        detail: `${resourceId} already has version ${version} with other content. Create a new version.`,
        resourceId,
      })
    }
    const { referenceRate, reset } = content.interest ?? {}
    const now = context.now()
    const changes = addVersion(productVersions, content, { contentHash, now })
    if (reset) await requireReferenceRate(context, referenceRate!, '/interest/referenceRate')
    await requireFixings(context, content)
    return decisionOf(productVersions, changes, now)
  })
}

/**
 * Changes the status of one product version. `input` has the label of the version. Throws
 * PRODUCT_NOT_FOUND, and whatever `decide` throws.
 */
export function changeProduct(
  context: Context,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  productId: string,
  event: ProductEvent,
  decide: (before: Product, now: Date) => Product | Promise<Product>,
): Promise<Product> {
  return command(context, operation, input, async () => {
    const productVersions = await findProductVersions(context, productId)
    const before = productVersions?.versions.find(({ version }) => version === input['version'])
    if (!productVersions || !before) {
      throw new Problem('PRODUCT_NOT_FOUND', { resourceId: productId })
    }
    const now = context.now()
    const after = await decide(before, now)
    return decisionOf(productVersions, versionChanges(productVersions, event, after, now), now)
  })
}

function decisionOf(
  productVersions: ProductVersions | null,
  changes: VersionChange[],
  now: Date,
): Decision<Product> {
  const result = changes[0]!.product
  const { productId } = result
  const subject = `product/${productId}`
  const versionByLabel = new Map(
    productVersions?.versions.map((product) => [product.version, product]),
  )
  for (const { product } of changes) versionByLabel.set(product.version, product)
  const versions = [...versionByLabel.values()].sort((a, b) =>
    compareVersions(a.version, b.version),
  )
  return {
    result,
    resourceId: productId,
    writes: productWrites(productVersions, changes, now),
    events: changes.map(({ event, product }) => ({
      type: event,
      subject,
      version: (productVersions?.rowVersion ?? 0) + 1,
      data: eventDataOf(Product, product),
      parties: [],
    })),
    facts: [{ subject, data: productFact(productId, versions) }],
  }
}
