import type { ProductStatus } from '../model/enumerations.ts'
import type { Product, productStates } from '../model/product.ts'
import type { EventOf } from '../../../kernel/domain/state-machine.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { requireRepricingInFuture } from './deposit-interest-terms.ts'
import { Problem } from './problems.ts'
import { initialState } from '../../../kernel/domain/states.ts'
import { requireConsistent, type ProductTerms } from './terms.ts'
import { compareVersions } from './version-label.ts'

/**
 * A product with all its versions, newest last. Commands decide on all versions together, because
 * one version supersedes another.
 */
export interface ProductVersions {
  productId: string
  rowVersion: number
  createdAt: Date
  versions: readonly Product[]
}

/** The types of the events of product versions. */
export type ProductEvent =
  'products.product.created' | 'products.product.version-superseded' | EventOf<typeof productStates>

/** A change to one version, with the event that reports it. */
export interface VersionChange {
  event: ProductEvent
  product: Product
}

export type NewProduct = Pick<Product, 'productId' | 'version' | 'name' | 'productClass'> &
  Partial<Pick<Product, 'description' | 'effectiveFrom' | 'effectiveTo' | keyof ProductTerms>> & {
    status?: string | null
  }

/** Returns the complete content of a new version, with defaults for omitted fields. */
export function productContent(request: NewProduct) {
  return {
    productId: request.productId,
    version: request.version,
    name: request.name,
    productClass: request.productClass,
    status: initialState<ProductStatus>(request.status, ['draft', 'active'], 'draft'),
    description: request.description ?? null,
    currencies: request.currencies ?? ['EUR'],
    parameters: request.parameters ?? [],
    fees: request.fees ?? [],
    interest: request.interest ?? null,
    // Left out if absent, so that requests have the same content as before the terms existed.
    ...(request.depositInterest && { depositInterest: request.depositInterest }),
    ...(request.overdraft && { overdraft: request.overdraft }),
    effectiveFrom: request.effectiveFrom ?? null,
    effectiveTo: request.effectiveTo ?? null,
    maxPerCustomer: request.maxPerCustomer ?? null,
  } satisfies Partial<Product>
}

/**
 * Returns the content from which the hash of a version is computed. What was added to the interest
 * later is left out if absent, so that requests have the same content as before.
 */
export function hashedContent(content: ReturnType<typeof productContent>): object {
  if (content.interest === null || content.interest.reset !== null) return content
  const { reset: _, ...interest } = content.interest
  return { ...content, interest }
}

/**
 * Adds a version to its product. A version that is created as active supersedes the previously
 * active version.
 * Throws VALIDATION_FAILED, INVALID_DATE_RANGE.
 */
export function addVersion(
  productVersions: ProductVersions | null,
  content: ReturnType<typeof productContent>,
  stamp: { contentHash: string; now: Date },
): VersionChange[] {
  const { depositInterest = null, overdraft = null } = content
  requireConsistent({ ...content, depositInterest, overdraft })
  const { effectiveFrom, effectiveTo } = content
  if (effectiveFrom !== null && effectiveTo !== null && effectiveTo < effectiveFrom) {
    const detail = `effectiveTo, ${effectiveTo}, must not be before effectiveFrom, ${effectiveFrom}.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/effectiveTo', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  const { contentHash, now } = stamp
  const stored = { contentHash, rowVersion: 1, createdAt: now, updatedAt: now }
  const product = { ...content, depositInterest, overdraft, ...stored }
  const created: VersionChange = { event: 'products.product.created', product }
  if (product.status === 'draft') return [created]
  requireRepricingInFuture(product, dateOf(now))
  return [
    created,
    { event: 'products.product.version-activated', product },
    ...supersessionsBy(product, productVersions?.versions ?? [], now),
  ]
}

/**
 * Returns the changes that a transition of one version makes. `after` is the version in its new
 * state. A version that is activated supersedes the previously active version.
 * Throws INVALID_DATE_RANGE.
 */
export function versionChanges(
  { versions }: ProductVersions,
  event: ProductEvent,
  after: Product,
  now: Date,
): VersionChange[] {
  const change = { event, product: withStatus(after, after.status, now) }
  if (event !== 'products.product.version-activated') return [change]
  requireRepricingInFuture(after, dateOf(now))
  return [change, ...supersessionsBy(after, versions, now)]
}

/** Checks that a suspended version can be resumed. Throws STATE_CONFLICT if a version is active. */
export function requireNoneActive(product: Product, { versions }: ProductVersions): void {
  const activeVersion = versions.find(({ status }) => status === 'active')
  if (!activeVersion) return
  const { productId, version } = activeVersion
  throw new Problem('STATE_CONFLICT', {
    detail: `${productId} ${version} is active. Suspend or retire it first.`,
    resourceId: product.productId,
    currentState: product.status,
    allowedStates: ['retired'],
  })
}

/**
 * Returns the version with the label; null if there is none. Without a label, returns the active
 * version, or else the newest one.
 */
export function chooseVersion(
  versions: readonly Product[],
  label: string | null | undefined,
): Product | null {
  if (label) return versions.find(({ version }) => version === label) ?? null
  const newestFirst = [...versions].sort((a, b) => compareVersions(b.version, a.version))
  return newestFirst.find(({ status }) => status === 'active') ?? newestFirst[0] ?? null
}

function supersessionsBy(
  product: Product,
  versions: readonly Product[],
  now: Date,
): VersionChange[] {
  return versions
    .filter(({ status, version }) => status === 'active' && version !== product.version)
    .map((older) => ({
      event: 'products.product.version-superseded',
      product: withStatus(older, 'superseded', now),
    }))
}

function withStatus(product: Product, status: ProductStatus, now: Date): Product {
  return { ...product, status, rowVersion: product.rowVersion + 1, updatedAt: now }
}
