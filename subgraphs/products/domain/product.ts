import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'
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

export const productMoves: Transitions<ProductStatus> = {
  draft: ['active', 'withdrawn'],
  active: ['suspended', 'superseded', 'retired'],
  suspended: ['active', 'retired'],
  superseded: ['retired'],
  retired: [],
  withdrawn: [],
}

/**
 * Activation and resumption both lead to `active`, but are different commands with different
 * sources.
 */
const activations: Transitions<ProductStatus> = { ...productMoves, suspended: ['retired'] }
const resumptions: Transitions<ProductStatus> = { ...productMoves, draft: ['withdrawn'] }

/** One version of a product. Its content never changes. */
export interface Product extends ProductTerms {
  productId: string
  /** The label of the version. */
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
 * A product with all its versions, newest last. Commands decide on the whole, because versions
 * supersede each other.
 */
export interface ProductLine {
  productId: string
  rowVersion: number
  createdAt: Date
  versions: readonly Product[]
}

/** A change of one version, as emitted in an event. */
export interface Happening {
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

/** The complete content of a new version, with defaults for omitted fields. */
export function productContent(asked: NewProduct) {
  return {
    productId: asked.productId,
    version: asked.version,
    name: asked.name,
    productClass: asked.productClass,
    status: initialState<ProductStatus>(asked.status, ['draft', 'active'], 'draft'),
    description: asked.description ?? null,
    currencies: asked.currencies ?? ['EUR'],
    parameters: asked.parameters ?? [],
    fees: asked.fees ?? [],
    interest: asked.interest ?? null,
    effectiveFrom: asked.effectiveFrom ?? null,
    effectiveTo: asked.effectiveTo ?? null,
    maxPerCustomer: asked.maxPerCustomer ?? null,
  } satisfies Partial<Product>
}

/**
 * Adds a version to its product. A version created as active supersedes the previously active one.
 * Rejects with VALIDATION_FAILED, INVALID_DATE_RANGE.
 */
export function addVersion(
  line: ProductLine | null,
  content: ReturnType<typeof productContent>,
  made: { contentHash: string; now: Date },
): Happening[] {
  requireConsistent(content)
  const { effectiveFrom, effectiveTo } = content
  if (effectiveFrom !== null && effectiveTo !== null && effectiveTo < effectiveFrom) {
    const detail = `effectiveTo, ${effectiveTo}, must not be before effectiveFrom, ${effectiveFrom}.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/effectiveTo', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  const { contentHash, now } = made
  const product = { ...content, contentHash, rowVersion: 1, createdAt: now, updatedAt: now }
  const created: Happening = { fact: 'created', product }
  if (product.status === 'draft') return [created]
  return [
    created,
    { fact: 'version-activated', product },
    ...supersededBy(product, line?.versions ?? [], now),
  ]
}

/**
 * Activates a draft version, which supersedes the previously active one. Rejects with
 * INVALID_STATE_TRANSITION.
 */
export function activateVersion(line: ProductLine, product: Product, now: Date): Happening[] {
  requireMove(activations, product.status, 'active', nameOf(product))
  const active = moved(product, 'active', now)
  return [
    { fact: 'version-activated', product: active },
    ...supersededBy(product, line.versions, now),
  ]
}

/** Suspends an active version. Rejects with INVALID_STATE_TRANSITION. */
export function suspendVersion(_line: ProductLine, product: Product, now: Date): Happening[] {
  return move('suspended', product, 'suspended', now)
}

/**
 * Resumes a suspended version. Rejects with INVALID_STATE_TRANSITION, and with
 * STATE_CONFLICT while another version is active.
 */
export function resumeVersion(line: ProductLine, product: Product, now: Date): Happening[] {
  requireMove(resumptions, product.status, 'active', nameOf(product))
  const other = line.versions.find(({ status }) => status === 'active')
  if (other) {
    throw new Problem('STATE_CONFLICT', {
      detail: `${nameOf(other)} is active. Suspend or retire it first.`,
      resourceId: product.productId,
      currentState: product.status,
      allowedStates: ['retired'],
    })
  }
  return [{ fact: 'resumed', product: moved(product, 'active', now) }]
}

/**
 * Retires a version permanently; existing arrangements are not affected. Rejects with
 * INVALID_STATE_TRANSITION.
 */
export function retireVersion(_line: ProductLine, product: Product, now: Date): Happening[] {
  return move('retired', product, 'retired', now)
}

/** Withdraws a draft version. Rejects with INVALID_STATE_TRANSITION. */
export function withdrawVersion(_line: ProductLine, product: Product, now: Date): Happening[] {
  return move('withdrawn', product, 'withdrawn', now)
}

/** The version with the label, otherwise the active one, otherwise the newest. */
export function chooseVersion(
  versions: readonly Product[],
  label: string | null | undefined,
): Product | null {
  if (label) return versions.find(({ version }) => version === label) ?? null
  const newestFirst = [...versions].sort((a, b) => compareVersions(b.version, a.version))
  return newestFirst.find(({ status }) => status === 'active') ?? newestFirst[0] ?? null
}

function supersededBy(product: Product, versions: readonly Product[], now: Date): Happening[] {
  return versions
    .filter(({ status, version }) => status === 'active' && version !== product.version)
    .map((older) => ({ fact: 'version-superseded', product: moved(older, 'superseded', now) }))
}

function move(fact: Happening['fact'], product: Product, to: ProductStatus, now: Date) {
  requireMove(productMoves, product.status, to, nameOf(product))
  return [{ fact, product: moved(product, to, now) }]
}

function moved(product: Product, status: ProductStatus, now: Date): Product {
  return { ...product, status, rowVersion: product.rowVersion + 1, updatedAt: now }
}

function nameOf({ productId, version }: Product): string {
  return `${productId} ${version}`
}
