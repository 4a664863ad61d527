import { fingerprint } from '../_kernel/answer.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import {
  addVersion,
  productContent,
  type Happening,
  type NewProduct,
  type Product,
  type ProductLine,
} from './domain/product.ts'
import { compareVersions } from './domain/version-label.ts'
import { productFact, productSnapshot } from './facts.ts'
import { findLine, writeLine } from './store/product.ts'

/**
 * Adds a version to an existing or a new product. Repeating the same version and content returns
 * the existing version.
 * Rejects with INVALID_INITIAL_STATUS, PRODUCT_VERSION_EXISTS, and as `addVersion` does.
 */
export function createProduct(context: Context, asked: NewProduct): Promise<Product> {
  return command(context, 'createProduct', asked, async () => {
    const content = productContent(asked)
    const contentHash = fingerprint('createProduct', content)
    const line = await findLine(context, asked.productId)
    const existing = line?.versions.find(({ version }) => version === asked.version)
    if (existing) {
      const { productId: resourceId, version } = existing
      if (existing.contentHash === contentHash) return { result: existing, resourceId }
      throw new Problem('PRODUCT_VERSION_EXISTS', {
        detail: `${resourceId} already has version ${version} with other content. Create a new version.`,
        resourceId,
      })
    }
    const now = context.now()
    return commitLine(line, addVersion(line, content, { contentHash, now }), now)
  })
}

/**
 * Changes the status of one product version.
 * Rejects with PRODUCT_NOT_FOUND, and with as `decide` does.
 */
export function changeProduct(
  context: Context,
  operation: string,
  key: { productId: string; version: string },
  decide: (line: ProductLine, product: Product, now: Date) => Happening[],
): Promise<Product> {
  return command(context, operation, key, async () => {
    const line = await findLine(context, key.productId)
    const product = line?.versions.find(({ version }) => version === key.version)
    if (!line || !product) throw new Problem('PRODUCT_NOT_FOUND', { resourceId: key.productId })
    const now = context.now()
    return commitLine(line, decide(line, product, now), now)
  })
}

function commitLine(
  line: ProductLine | null,
  happenings: Happening[],
  now: Date,
): Decision<Product> {
  const result = happenings[0]!.product
  const { productId } = result
  const subject = `product/${productId}`
  const after = new Map(line?.versions.map((product) => [product.version, product]))
  for (const { product } of happenings) after.set(product.version, product)
  const versions = [...after.values()].sort((a, b) => compareVersions(a.version, b.version))
  return {
    result,
    resourceId: productId,
    writes: writeLine(line, happenings, now),
    events: happenings.map(({ fact, product }) => ({
      type: `products.product.${fact}`,
      subject,
      version: (line?.rowVersion ?? 0) + 1,
      data: productSnapshot(product),
      parties: [],
    })),
    facts: [{ subject, data: productFact(productId, versions) }],
  }
}
