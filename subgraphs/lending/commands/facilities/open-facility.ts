import { requireAlive } from '../../../../kernel/lifecycle/deceased.ts'
import { bankCaller, requireBank } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { Money } from '../../../../kernel/domain/money.ts'
import { missingReference } from '../../../../kernel/domain/problem.ts'
import { readHeldFacts, readReferencedFacts } from '../../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../../kernel/writing/records.ts'
import { decideOpeningAndBooking, requireBooked } from '../../../../ledger/book.ts'
import { agreeFloatingRate } from '../rate-resets/rate-reset.ts'
import { idsOf, loanAccount, facilityEventsAndFacts } from './change-facility.ts'
import {
  newDrawdown,
  withPayout,
  requireDrawable,
  transitionDrawdown,
  type DrawdownPlan,
  type DrawdownTerms,
} from '../../domain/drawdowns/drawdown.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { lateChargesOf } from '../../domain/late-charges/terms.ts'
import { newFacility, type NewFacility } from '../../domain/facilities/opening.ts'
import {
  requireWithinProduct,
  delinquencyBucketsOf,
  upfrontFeesOf,
  versionToOpen,
  type LendingProduct,
} from '../../domain/facilities/product-bounds.ts'
import { validationError, validationFailed, inputProblem } from '../../domain/schedules/refusals.ts'
import { openSchedule } from '../../domain/facilities/schedule-change.ts'
import { eventsOf } from '../drawdowns/drawdown.ts'
import { postingOfDrawdown } from '../drawdowns/drawdown-posting.ts'
import { requireSettlementAccount, requireCurrency } from './customer-account.ts'
import { drawdownKind } from '../../store/drawdowns/drawdown.ts'
import { facilityKind } from '../../store/facilities/facility.ts'
import { insertVersion } from '../../store/schedules/schedule-version.ts'

export interface FacilityRequest extends NewFacility {
  facilityId?: string | null
  /**
   * Whether to pay out `disburseAmount` to the settlement account at once. If it is null, the full
   * limit is paid out.
   */
  disburse: boolean
  disburseAmount?: Money | null
}

/**
 * Opens a facility for a customer together with its ledger account and, if requested, pays it out,
 * all in one commit. A repeated request with the same ID and content returns the existing facility.
 * Throws NOT_FOR_DELEGATED_USERS, CUSTOMER_NOT_FOUND, CUSTOMER_NOT_ACTIVE, PARTY_DECEASED,
 * PRODUCT_NOT_FOUND, RESOURCE_EXISTS, and whatever `requireSettlementAccount`, `newFacility`,
 * `applyProduct` and `planPayout` throw.
 */
export function openFacility(context: Context, request: FacilityRequest): Promise<Facility> {
  requireBank(context)
  const operation = 'openFacility'
  const { facilityId: id } = request
  return createRecord(context, facilityKind, operation, request, id, async (stamp) => {
    const { now } = stamp
    const { partyId, product } = await readReferences(context, request)
    const base = { facilityId: stamp.id, partyId, ...versioned(stamp) }
    const opened = await applyProduct(
      context,
      newFacility(request, base, dateOf(now)),
      request,
      product,
      dateOf(now),
    )
    const firstScheduleChange = openSchedule(opened)
    const facility = firstScheduleChange?.facility ?? opened
    const plan = request.disburse ? planPayout(context, facility, request) : null
    const record = plan?.change.facility ?? facility
    const drawdown = plan && withPayout(plan)
    const postings = drawdown ? [postingOfDrawdown(drawdown, record, now)] : []
    const asBank = { ...context, caller: bankCaller }
    const booked = await decideOpeningAndBooking(asBank, [loanAccount(record)], postings)
    requireBooked(booked)
    const scheduleChanges = [firstScheduleChange, plan?.change].filter((each) => each != null)
    const paidDrawdown = drawdown && { ...drawdown, postingInstructionId: idsOf(booked)[0]! }
    const { events } = facilityEventsAndFacts(
      record,
      paidDrawdown ? ['lending.facility.activated'] : [],
      plan?.change ?? null,
      paidDrawdown ? eventsOf(null, paidDrawdown) : [],
    )
    return {
      record,
      retainsKey: request.disburse,
      writes: [
        ...scheduleChanges.map((each) => insertVersion({ ...each, facility: record }, now)),
        ...(paidDrawdown ? [drawdownKind.insert(paidDrawdown)] : []),
        ...booked.writes,
      ],
      events: [...events, ...booked.events],
    }
  })
}

/**
 * Plans the payout of a facility that is being opened. The drawdown is approved together with the
 * facility. Throws VALIDATION_FAILED if the facility has no settlement account, CURRENCY_MISMATCH,
 * and whatever `requireDrawable` and `newDrawdown` throw.
 */
function planPayout(
  context: Context,
  facility: Facility,
  { disburseAmount }: FacilityRequest,
): DrawdownPlan {
  const { limitMinor, currency, openedOn: valueDate, settlementArrangementId } = facility
  if (disburseAmount) {
    requireCurrency(disburseAmount.currency, currency, '/disburseAmount/currency')
  }
  if (settlementArrangementId === null) {
    throw validationFailed(
      validationError(
        '/settlementArrangementId',
        'REQUIRED',
        'If `disburse` is true, send the account to which to pay out.',
      ),
    )
  }
  const terms: DrawdownTerms = {
    amountMinor: disburseAmount?.amountMinor ?? limitMinor,
    valueDate,
    destinationArrangementId: settlementArrangementId,
    destinationIban: null,
    destinationName: null,
    purpose: null,
    reference: null,
    trancheId: null,
  }
  requireDrawable(facility, terms, null)
  const { contentHash } = facility
  const stamp = { id: context.newId('drawdown'), contentHash, now: context.now() }
  const plan = newDrawdown(facility, terms, { ...versioned(stamp), drawdownId: stamp.id })
  return { ...plan, drawdown: transitionDrawdown(plan.drawdown, 'approved') }
}

/**
 * Returns the facility with what its product version determines, after checking it against the
 * bounds of the product. A facility without a product is returned unchanged. Throws whatever
 * `versionToOpen`, `requireWithinProduct` and `agreeFloatingRate` throw.
 */
async function applyProduct(
  context: Context,
  facility: Facility,
  request: FacilityRequest,
  product: LendingProduct | null,
  today: LocalDate,
): Promise<Facility> {
  if (!product) return facility
  const version = versionToOpen(product, request, today)
  requireWithinProduct(version, request, facility.openedOn)
  const upfrontFees = upfrontFeesOf(version, request.limit)
  const delinquencyBuckets = delinquencyBucketsOf(version)
  const lateCharges = lateChargesOf(version, facility.currency)
  const floatingRate = await agreeFloatingRate(context, version, facility)
  const agreed = { upfrontFees, lateCharges, floatingRate, delinquencyBuckets }
  return { ...facility, ...agreed, productVersion: version.version }
}

/**
 * Reads the customer's party and the product. Checks that the customer is active, the party is
 * alive and the settlement account, if there is one, can be used.
 */
async function readReferences(context: Context, request: FacilityRequest) {
  const { customerId, productId, settlementArrangementId, limit } = request
  const [[customer], [product]] = await Promise.all([
    readReferencedFacts(context, [`customer/${customerId}`]),
    readHeldFacts(context, [`product/${productId}`]),
  ])
  if (!customer) throw missingReference('CUSTOMER_NOT_FOUND', customerId, '/customerId')
  const { partyId, status } = customer as { partyId: string; status: string }
  await readReferencedFacts(context, [`party/${partyId}`])
  await requireAlive(context, partyId, '/customerId')
  if (status !== 'active') {
    const detail = `The customer is ${status}.`
    throw inputProblem('CUSTOMER_NOT_ACTIVE', '/customerId', detail, { resourceId: customerId })
  }
  if (productId && !product) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
  const references = { partyId, product: product as LendingProduct | null }
  if (!settlementArrangementId) return references
  await requireSettlementAccount(
    context,
    { partyId, currency: limit.currency },
    settlementArrangementId,
  )
  return references
}
