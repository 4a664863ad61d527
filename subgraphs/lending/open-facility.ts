import { requireAlive } from '../_kernel/deceased.ts'
import { fingerprint } from '../_kernel/answer.ts'
import { bankCaller, requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import type { Money } from '../_kernel/domain/money.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { readHeldFacts } from '../_kernel/facts.ts'
import { publish, versioned } from '../_kernel/records.ts'
import { openAndBook, requireBooked } from '../_ledger/book.ts'
import { idsOf, loanAccount, tellFacility } from './change-facility.ts'
import { disburse, paidOut, requireDrawable, type Drawdown } from './domain/drawdown.ts'
import type { Facility } from './domain/facility.ts'
import { newFacility, type NewFacility } from './domain/opening.ts'
import {
  requireWithinProduct,
  upfrontFeesOf,
  versionToOpen,
  type LendingProduct,
} from './domain/product-bounds.ts'
import { fault, invalid } from './domain/refusals.ts'
import { openSchedule, type ScheduleChange } from './domain/schedule-change.ts'
import { postingOfDrawdown } from './drawdown-posting.ts'
import { drawdownKind } from './store/drawdown.ts'
import { facilityKind } from './store/facility.ts'
import { insertVersion } from './store/schedule-version.ts'

export interface FacilityAsked extends NewFacility {
  facilityId?: string | null
  /** Pays out to the settlement account at once: the whole limit, or a part of it. */
  disburse: boolean
  disburseAmount?: Money | null
}

/** What another area publishes of an account. */
export interface AccountFact {
  arrangementId: string
  partyId: string
  currency: string
}

/**
 * Opens a facility of a customer with its account in the ledger, and pays it out if asked to: all
 * in one commit. The same id with the same content answers the facility that is there.
 * Refuses with NOT_FOR_DELEGATED_USERS, CUSTOMER_NOT_FOUND, CUSTOMER_NOT_ACTIVE, PRODUCT_NOT_FOUND,
 * ARRANGEMENT_NOT_FOUND, CURRENCY_MISMATCH, RESOURCE_EXISTS, and as `newFacility` and `requireDrawable`.
 */
export function openFacility(context: Context, asked: FacilityAsked): Promise<Facility> {
  requireBank(context)
  const contentHash = fingerprint('openFacility', asked)
  return command(context, 'openFacility', asked, async () => {
    const existing = asked.facilityId ? await facilityKind.find(context, asked.facilityId) : null
    if (existing?.contentHash === contentHash) {
      return { result: existing, resourceId: existing.facilityId }
    }
    if (existing) throw new Problem('RESOURCE_EXISTS', { resourceId: existing.facilityId })
    const now = context.now()
    const { partyId, product } = await readOwner(context, asked)
    const facilityId = asked.facilityId ?? context.newId('facility')
    const head = { facilityId, partyId, ...versioned({ id: facilityId, contentHash, now }) }
    const opened = underProduct(newFacility(asked, head, dateOf(now)), asked, product, dateOf(now))
    const first = openSchedule(opened)
    const facility = first?.facility ?? opened
    const { drawdown, change } = asked.disburse ? payOut(context, facility, asked) : notPaidOut
    const after = change?.facility ?? facility
    const postings = drawdown ? [postingOfDrawdown(drawdown, after, now)] : []
    const asBank = { ...context, caller: bankCaller }
    const booked = await openAndBook(asBank, [loanAccount(after)], postings)
    requireBooked(booked)
    const kept = [first, change].filter((each) => each !== null)
    const paid = drawdown && { ...drawdown, postingInstructionId: idsOf(booked)[0]! }
    const told = tellFacility(
      after,
      ['lending.facility.opened', ...(paid ? (['lending.facility.activated'] as const) : [])],
      change,
      paid ? toldOf(paid) : [],
    )
    return {
      result: after,
      resourceId: facilityId,
      isKeyKept: asked.disburse,
      writes: [
        facilityKind.insert(after),
        ...kept.map((each) => insertVersion({ ...each, facility: after }, now)),
        ...(paid ? [drawdownKind.insert(paid)] : []),
        ...booked.writes,
      ],
      events: [...told.events, ...booked.events],
      facts: told.facts,
    }
  })
}

const notPaidOut = { drawdown: null, change: null }

function payOut(context: Context, facility: Facility, { disburseAmount }: FacilityAsked) {
  const { facilityId, partyId, limitMinor, currency } = facility
  if (disburseAmount) {
    requireCurrency(disburseAmount.currency, currency, '/disburseAmount/currency')
  }
  const amountMinor = disburseAmount?.amountMinor ?? limitMinor
  const { openedOn: valueDate, settlementArrangementId, contentHash } = facility
  if (settlementArrangementId === null) {
    throw invalid(fault('/settlementArrangementId', 'REQUIRED', 'Where it is paid out to.'))
  }
  requireDrawable(facility, { amountMinor, valueDate }, null)
  const change: ScheduleChange = disburse(facility, { amountMinor, valueDate })
  const drawdownId = context.newId('drawdown')
  const approved: Drawdown = {
    ...versioned({ id: drawdownId, contentHash, now: context.now() }),
    drawdownId,
    facilityId,
    partyId,
    state: 'approved',
    amountMinor,
    feeMinor: 0n,
    currency,
    valueDate,
    destinationArrangementId: settlementArrangementId,
    destinationIban: null,
    destinationName: null,
    purpose: null,
    reference: null,
    trancheId: null,
    availableBeforeMinor: limitMinor,
    availableAfterMinor: limitMinor - amountMinor,
    outstandingMinor: 0n,
    scheduleVersion: null,
    nextDueDate: null,
    nextDueMinor: null,
    postingInstructionId: null,
    reasonCode: null,
  }
  return { drawdown: paidOut(approved, facility, change), change }
}

function toldOf(drawdown: Drawdown) {
  const types = ['requested', 'approved', 'disbursed'] as const
  return types.flatMap((fact) => publish(drawdownKind, drawdown, `lending.drawdown.${fact}`).events)
}

/**
 * The facility under the version of its product, within its bounds and with its fees.
 * Rejects as `versionToOpen` and `requireWithinProduct`.
 */
function underProduct(
  facility: Facility,
  asked: FacilityAsked,
  product: LendingProduct | null,
  today: LocalDate,
): Facility {
  if (!product) return facility
  const version = versionToOpen(product, asked, today)
  requireWithinProduct(version, asked, facility.openedOn)
  const upfrontFees = upfrontFeesOf(version, asked.limit)
  return { ...facility, productVersion: version.version, upfrontFees }
}

/** The party of the customer and the product; with everything else the body names looked up. */
async function readOwner(context: Context, asked: FacilityAsked) {
  const { customerId, productId, settlementArrangementId, limit } = asked
  const [customer, product, account] = await readHeldFacts(context, [
    `customer/${customerId}`,
    `product/${productId}`,
    `arrangement/${settlementArrangementId}`,
  ])
  if (!customer) throw missingReference('CUSTOMER_NOT_FOUND', customerId, '/customerId')
  const { partyId, status } = customer as { partyId: string; status: string }
  await requireAlive(context, partyId, '/customerId')
  if (status !== 'active') {
    const code = 'CUSTOMER_NOT_ACTIVE'
    const detail = `The customer is ${status}.`
    const errors = [{ pointer: '/customerId', code, detail }]
    throw new Problem(code, { detail, errors, resourceId: customerId })
  }
  if (productId && !product) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
  const owner = { partyId, product: product as LendingProduct | null }
  if (!settlementArrangementId) return owner
  const pointer = '/settlementArrangementId'
  const settlement = account as AccountFact | null
  if (settlement?.partyId !== partyId) {
    throw missingReference('ARRANGEMENT_NOT_FOUND', settlementArrangementId, pointer)
  }
  requireCurrency(settlement.currency, limit.currency, pointer)
  return owner
}

/** Refuses with CURRENCY_MISMATCH. */
export function requireCurrency(its: string, wanted: string, pointer: string): void {
  if (its === wanted) return
  const code = 'CURRENCY_MISMATCH'
  const detail = `It is in ${its}, the facility in ${wanted}.`
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
