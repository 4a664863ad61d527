import type { ProductStatus } from '../model/enumerations.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { initialState, assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import { requireConsistent, type ProductTerms } from './terms.ts'
import { compareVersions } from './version-label.ts'

export const productTransitions: Transitions<ProductStatus> = {
  draft: ['active', 'withdrawn'],
  active: ['suspended', 'superseded', 'retired'],
  suspended: ['active', 'retired'],
  superseded: ['retired'],
  retired: [],
  withdrawn: [],
}

/**
 * The transitions for an activation, and those for a resumption. Both commands lead to `active`,
 * but from different statuses.
 */
const activations: Transitions<ProductStatus> = { ...productTransitions, suspended: ['retired'] }
const resumptions: Transitions<ProductStatus> = { ...productTransitions, draft: ['withdrawn'] }

/** One version of a product. Its content never changes. */
export interface Product extends ProductTerms {
  productId: string
  /** The label of the version, such as `2026.1`. */
  version: string
  name: string
  productClass: string
  status: ProductStatus
  description: string | null
  /** The first and the last day on which arrangements can be opened; null if there is no limit. */
  effectiveFrom: LocalDate | null
  effectiveTo: LocalDate | null
  contentHash: string
  rowVersion: number
  createdAt: Date
  updatedAt: Date
}

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

/** A change to one version, as its event reports it. `eventName` is the last part of the event type. */
export interface VersionChange {
  eventName:
    | 'created'
    | 'version-activated'
    | 'version-superseded'
    | 'suspended'
    | 'resumed'
    | 'retired'
    | 'withdrawn'
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
    effectiveFrom: request.effectiveFrom ?? null,
    effectiveTo: request.effectiveTo ?? null,
    maxPerCustomer: request.maxPerCustomer ?? null,
  } satisfies Partial<Product>
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
  requireConsistent(content)
  const { effectiveFrom, effectiveTo } = content
  if (effectiveFrom !== null && effectiveTo !== null && effectiveTo < effectiveFrom) {
    const detail = `effectiveTo, ${effectiveTo}, must not be before effectiveFrom, ${effectiveFrom}.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/effectiveTo', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  const { contentHash, now } = stamp
  const product = { ...content, contentHash, rowVersion: 1, createdAt: now, updatedAt: now }
  const created: VersionChange = { eventName: 'created', product }
  if (product.status === 'draft') return [created]
  return [
    created,
    { eventName: 'version-activated', product },
    ...supersessionsBy(product, productVersions?.versions ?? [], now),
  ]
}

/**
 * Activates a draft version, which supersedes the previously active version. Throws
 * INVALID_STATE_TRANSITION.
 */
export function activateVersion(
  productVersions: ProductVersions,
  product: Product,
  now: Date,
): VersionChange[] {
  assertTransition(activations, product.status, 'active', nameOf(product))
  const activeVersion = withStatus(product, 'active', now)
  return [
    { eventName: 'version-activated', product: activeVersion },
    ...supersessionsBy(product, productVersions.versions, now),
  ]
}

/** Suspends an active version. Throws INVALID_STATE_TRANSITION. */
export function suspendVersion(
  _productVersions: ProductVersions,
  product: Product,
  now: Date,
): VersionChange[] {
  return transition('suspended', product, 'suspended', now)
}

/**
 * Resumes a suspended version. Throws INVALID_STATE_TRANSITION, and STATE_CONFLICT if another
 * version is active.
 */
export function resumeVersion(
  productVersions: ProductVersions,
  product: Product,
  now: Date,
): VersionChange[] {
  assertTransition(resumptions, product.status, 'active', nameOf(product))
  const activeVersion = productVersions.versions.find(({ status }) => status === 'active')
  if (activeVersion) {
    throw new Problem('STATE_CONFLICT', {
      detail: `${nameOf(activeVersion)} is active. Suspend or retire it first.`,
      resourceId: product.productId,
      currentState: product.status,
      allowedStates: ['retired'],
    })
  }
  return [{ eventName: 'resumed', product: withStatus(product, 'active', now) }]
}

/**
 * Retires a version permanently. Existing arrangements are not affected. Throws
 * INVALID_STATE_TRANSITION.
 */
export function retireVersion(
  _productVersions: ProductVersions,
  product: Product,
  now: Date,
): VersionChange[] {
  return transition('retired', product, 'retired', now)
}

/** Withdraws a draft version. Throws INVALID_STATE_TRANSITION. */
export function withdrawVersion(
  _productVersions: ProductVersions,
  product: Product,
  now: Date,
): VersionChange[] {
  return transition('withdrawn', product, 'withdrawn', now)
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
      eventName: 'version-superseded',
      product: withStatus(older, 'superseded', now),
    }))
}

function transition(
  eventName: VersionChange['eventName'],
  product: Product,
  to: ProductStatus,
  now: Date,
) {
  assertTransition(productTransitions, product.status, to, nameOf(product))
  return [{ eventName, product: withStatus(product, to, now) }]
}

function withStatus(product: Product, status: ProductStatus, now: Date): Product {
  return { ...product, status, rowVersion: product.rowVersion + 1, updatedAt: now }
}

function nameOf({ productId, version }: Product): string {
  return `${productId} ${version}`
}
