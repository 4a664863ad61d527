import { fingerprint } from '../_kernel/answer.ts'
import { maySee, requireBank, requireVisible } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { addDays, dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import { missingReference, Problem, type ProblemCode } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { publish } from '../_kernel/records.ts'
import type { AmountSent } from '../_kernel/scalars.ts'
import { valueDateWindowDays } from '../_ledger/domain/posting.ts'
import { narrated } from './change-facility.ts'
import { settlementAccountId } from './domain/accounts.ts'
import { ownersOf, type Facility } from './domain/facility.ts'
import {
  moveRepayment,
  repay,
  requireRepayable,
  takeBackRepayment,
  type Repayment,
} from './domain/repayment.ts'
import { readAmount } from './drawdown-asked.ts'
import { requireCurrency, type AccountFact } from './open-facility.ts'
import { commitServiced, repaymentOf, servicedToday } from './serve-facility.ts'
import { facilityKind } from './store/facility.ts'
import { findFacilityWithDues, type FacilityWithDues } from './store/facility-with-dues.ts'
import { repaymentKind } from './store/repayment.ts'

export interface RepaymentAsked {
  repaymentId?: string | null
  facilityId: string
  amount: AmountSent
  currency?: string | null
  paymentDate?: LocalDate | null
  /** Null when the money came from outside. */
  sourceArrangementId?: string | null
  reference?: string | null
}

/**
 * Records money that is paid back: what is due first, the oldest before the others; what is more
 * prepays the next instalments of a loan, or can be drawn again of a limit. The same id with the
 * same content answers the repayment that is there.
 * Refuses with FACILITY_NOT_FOUND, FACILITY_NOT_ACTIVE, INVALID_AMOUNT, INVALID_PAYMENT_DATE,
 * ARRANGEMENT_NOT_FOUND, CURRENCY_MISMATCH, EXCEEDS_PAYOFF_AMOUNT, RESOURCE_EXISTS, INSUFFICIENT_FUNDS,
 * NOT_FOR_DELEGATED_USERS for money from outside.
 */
export function recordRepayment(context: Context, asked: RepaymentAsked): Promise<Repayment> {
  if (!asked.sourceArrangementId) requireBank(context)
  const contentHash = fingerprint('recordRepayment', asked)
  return command(context, 'recordRepayment', asked, async () => {
    const existing = asked.repaymentId ? await repaymentKind.find(context, asked.repaymentId) : null
    if (existing) return answerAgain(context, existing, contentHash)
    const found = await requireFacilityWithDues(context, asked.facilityId)
    const { facility } = found
    requireRepayable(facility)
    const amountMinor = readAmount(facility, asked.amount, asked.currency)
    if (amountMinor <= 0n) throw refuse('INVALID_AMOUNT', '/amount', 'More than nothing.')
    const today = dateOf(context.now())
    const on = readPaymentDate(context, facility, asked.paymentDate)
    const accountId = await readSource(context, facility, asked.sourceArrangementId)
    const before = servicedToday(context, found)
    const { serviced, change, extraPayment } = repay(before, amountMinor, { on, today, accountId })
    const changed = await commitServiced(context, facility, serviced, { schedule: change })
    const made = serviced.payments[0]!
    const postingId = changed.postingInstructionIds[made.booking]!
    const noted = repaymentOf(context, facility, made, postingId)
    const repayment: Repayment = {
      ...noted,
      contentHash,
      repaymentId: asked.repaymentId ?? noted.repaymentId,
      isCollected: false,
      sourceArrangementId: asked.sourceArrangementId ?? null,
      reference: asked.reference ?? null,
      extraPayment,
    }
    const told = publish(repaymentKind, repayment, 'lending.repayment.applied')
    return {
      result: repayment,
      resourceId: repayment.repaymentId,
      isKeyKept: true,
      writes: [repaymentKind.insert(repayment), ...changed.writes],
      events: [...told.events, ...changed.events],
      facts: changed.facts,
    }
  })
}

function answerAgain(context: Context, existing: Repayment, contentHash: string) {
  const { repaymentId: resourceId } = existing
  const isMine = maySee(context.caller, ownersOf(existing))
  if (isMine && existing.contentHash === contentHash) return { result: existing, resourceId }
  throw new Problem('RESOURCE_EXISTS', { resourceId })
}

/** The facility, when the caller may see it. Refuses with FACILITY_NOT_FOUND. */
export async function requireFacility(context: Context, facilityId: string): Promise<Facility> {
  const found = await facilityKind.find(context, facilityId)
  return requireVisible(context, found, ownersOf, 'FACILITY_NOT_FOUND', facilityId)
}

/** The same with its installments, for a decision on both. Refuses with FACILITY_NOT_FOUND. */
export async function requireFacilityWithDues(
  context: Context,
  facilityId: string,
): Promise<FacilityWithDues> {
  const found = await findFacilityWithDues(context, facilityId)
  requireVisible(context, found && found.facility, ownersOf, 'FACILITY_NOT_FOUND', facilityId)
  return found!
}

function readPaymentDate(
  context: Context,
  { openedOn }: Facility,
  asked: LocalDate | null | undefined,
): LocalDate {
  const today = dateOf(context.now())
  if (!asked) return today
  const window = addDays(today, -valueDateWindowDays)
  const bank = openedOn > window ? openedOn : window
  const earliest = context.caller.partyId === null ? bank : today
  if (asked >= earliest && asked <= today) return asked
  throw refuse('INVALID_PAYMENT_DATE', '/paymentDate', `From ${earliest} to ${today}.`)
}

/** The account the money is taken from. Refuses with ARRANGEMENT_NOT_FOUND, CURRENCY_MISMATCH. */
export async function readSource(
  context: Context,
  { currency }: Facility,
  arrangementId: string | null | undefined,
): Promise<string> {
  if (!arrangementId) return settlementAccountId(currency)
  const pointer = '/sourceArrangementId'
  const [fact] = (await readFacts(context, [`arrangement/${arrangementId}`])) as [
    AccountFact | null,
  ]
  if (!fact || !maySee(context.caller, [fact.partyId])) {
    throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, pointer)
  }
  requireCurrency(fact.currency, currency, pointer)
  return arrangementId
}

/**
 * Takes a repayment back, such as one that bounced; what it paid is owed again, and late as it was.
 * Refuses with REPAYMENT_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS, and as
 * `takeBackRepayment`.
 */
export function reverseRepayment(context: Context, repaymentId: string): Promise<Repayment> {
  requireBank(context)
  return command(context, 'reverseRepayment', { repaymentId }, async () => {
    const found = await repaymentKind.find(context, repaymentId)
    const code = 'REPAYMENT_NOT_FOUND'
    const repayment = requireVisible(context, found, ownersOf, code, repaymentId)
    const now = context.now()
    const moved = moveRepayment(repayment, 'reversed')
    const both = await requireFacilityWithDues(context, repayment.facilityId)
    const { facility } = both
    const before = servicedToday(context, both)
    const { serviced, change } = takeBackRepayment(before, repayment, dateOf(now))
    const reversal = {
      type: 'reversal' as const,
      reversesId: repayment.postingInstructionId,
      valueDate: dateOf(now),
      isAdvice: false,
      clientTransactionId: facility.facilityId,
    }
    const changed = await commitServiced(context, facility, serviced, {
      schedule: change,
      postings: [narrated(reversal, `Repayment ${repaymentId} taken back`)],
    })
    const after = { ...moved, version: repayment.version + 1, updatedAt: now }
    const told = publish(repaymentKind, after, 'lending.repayment.reversed')
    return {
      result: after,
      resourceId: repaymentId,
      isKeyKept: true,
      writes: [repaymentKind.update(repayment, after), ...changed.writes],
      events: [...told.events, ...changed.events],
      facts: changed.facts,
    }
  })
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
