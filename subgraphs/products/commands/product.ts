import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import {
  addVersion,
  productContent,
  type VersionChange,
  type NewProduct,
  type Product,
  type ProductVersions,
} from '../domain/product.ts'
import { compareVersions } from '../domain/version-label.ts'
import { productFact, productSnapshot } from '../facts.ts'
import { findProductVersions, productWrites } from '../store/product.ts'

/**
 * Adds a version to an existing or a new product. Repeating the request with the same version and
 * content returns the existing version.
 * Throws INVALID_INITIAL_STATUS, PRODUCT_VERSION_EXISTS, and whatever `addVersion` throws.
 */
export function createProduct(context: Context, request: NewProduct): Promise<Product> {
  return command(context, 'createProduct', request, async () => {
    const content = productContent(request)
    const contentHash = fingerprint('createProduct', content)
    const line = await findProductVersions(context, request.productId)
    const existing = line?.versions.find(({ version }) => version === request.version)
    if (existing) {
      const { productId: resourceId, version } = existing
      if (existing.contentHash === contentHash) return { result: existing, resourceId }
      throw new Problem('PRODUCT_VERSION_EXISTS', {
        detail: `${resourceId} already has version ${version} with other content. Create a new version.`,
        resourceId,
      })
    }
    const now = context.now()
    return lineDecision(line, addVersion(line, content, { contentHash, now }), now)
  })
}

/**
 * Changes the status of one product version. Throws PRODUCT_NOT_FOUND, and whatever `decide`
 * throws.
 */
export function changeProduct(
  context: Context,
  operation: string,
  key: { productId: string; version: string },
  decide: (line: ProductVersions, product: Product, now: Date) => VersionChange[],
): Promise<Product> {
  return command(context, operation, key, async () => {
    const line = await findProductVersions(context, key.productId)
    const product = line?.versions.find(({ version }) => version === key.version)
    if (!line || !product) throw new Problem('PRODUCT_NOT_FOUND', { resourceId: key.productId })
    const now = context.now()
    return lineDecision(line, decide(line, product, now), now)
  })
}

function lineDecision(
  line: ProductVersions | null,
  timelineEvents: VersionChange[],
  now: Date,
): Decision<Product> {
  const result = timelineEvents[0]!.product
  const { productId } = result
  const subject = `product/${productId}`
  const after = new Map(line?.versions.map((product) => [product.version, product]))
  for (const { product } of timelineEvents) after.set(product.version, product)
  const versions = [...after.values()].sort((a, b) => compareVersions(a.version, b.version))
  return {
    result,
    resourceId: productId,
    writes: productWrites(line, timelineEvents, now),
    events: timelineEvents.map(({ fact, product }) => ({
      type: `products.product.${fact}`,
      subject,
      version: (line?.rowVersion ?? 0) + 1,
      data: productSnapshot(product),
      parties: [],
    })),
    facts: [{ subject, data: productFact(productId, versions) }],
  }
}
