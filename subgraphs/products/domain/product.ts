import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { initialState, assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import { requireConsistent, type ProductTerms } from './terms.ts'
import { compareVersions } from './version-label.ts'

export const productStatuses = [
  'draft',
  'active',
  'suspended',
  'superseded',
  'retired',
  'withdrawn',
] as const
export type ProductStatus = (typeof productStatuses)[number]

export const productTransitions: Transitions<ProductStatus> = {
  draft: ['active', 'withdrawn'],
  active: ['suspended', 'superseded', 'retired'],
  suspended: ['active', 'retired'],
  superseded: ['retired'],
  retired: [],
  withdrawn: [],
}

/**
 * Two commands lead to `active`: a draft is activated, and a suspended version is resumed. Each of
 * these tables has the transitions for one command.
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
  /** The first and the last day on which arrangements can be opened under the version. */
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

/** A change to one version, as its event reports it. `fact` is the last part of the event type. */
export interface VersionChange {
  fact:
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
 * Adds a version to its product. A version that is created as active supersedes the active one.
 * Throws VALIDATION_FAILED, INVALID_DATE_RANGE.
 */
export function addVersion(
  line: ProductVersions | null,
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
  const created: VersionChange = { fact: 'created', product }
  if (product.status === 'draft') return [created]
  return [
    created,
    { fact: 'version-activated', product },
    ...supersededBy(product, line?.versions ?? [], now),
  ]
}

/** Activates a draft version, which supersedes the active one. Throws INVALID_STATE_TRANSITION. */
export function activateVersion(
  line: ProductVersions,
  product: Product,
  now: Date,
): VersionChange[] {
  assertTransition(activations, product.status, 'active', nameOf(product))
  const active = updated(product, 'active', now)
  return [
    { fact: 'version-activated', product: active },
    ...supersededBy(product, line.versions, now),
  ]
}

/** Suspends an active version. Throws INVALID_STATE_TRANSITION. */
export function suspendVersion(
  _line: ProductVersions,
  product: Product,
  now: Date,
): VersionChange[] {
  return transition('suspended', product, 'suspended', now)
}

/**
 * Resumes a suspended version. Throws INVALID_STATE_TRANSITION, and STATE_CONFLICT if another
 * version is active.
 */
export function resumeVersion(line: ProductVersions, product: Product, now: Date): VersionChange[] {
  assertTransition(resumptions, product.status, 'active', nameOf(product))
  const other = line.versions.find(({ status }) => status === 'active')
  if (other) {
    throw new Problem('STATE_CONFLICT', {
      detail: `${nameOf(other)} is active. Suspend or retire it first.`,
      resourceId: product.productId,
      currentState: product.status,
      allowedStates: ['retired'],
    })
  }
  return [{ fact: 'resumed', product: updated(product, 'active', now) }]
}

/**
 * Retires a version permanently. Existing arrangements are not affected. Throws
 * INVALID_STATE_TRANSITION.
 */
export function retireVersion(
  _line: ProductVersions,
  product: Product,
  now: Date,
): VersionChange[] {
  return transition('retired', product, 'retired', now)
}

/** Withdraws a draft version. Throws INVALID_STATE_TRANSITION. */
export function withdrawVersion(
  _line: ProductVersions,
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

function supersededBy(product: Product, versions: readonly Product[], now: Date): VersionChange[] {
  return versions
    .filter(({ status, version }) => status === 'active' && version !== product.version)
    .map((older) => ({ fact: 'version-superseded', product: updated(older, 'superseded', now) }))
}

function transition(fact: VersionChange['fact'], product: Product, to: ProductStatus, now: Date) {
  assertTransition(productTransitions, product.status, to, nameOf(product))
  return [{ fact, product: updated(product, to, now) }]
}

function updated(product: Product, status: ProductStatus, now: Date): Product {
  return { ...product, status, rowVersion: product.rowVersion + 1, updatedAt: now }
}

function nameOf({ productId, version }: Product): string {
  return `${productId} ${version}`
}
