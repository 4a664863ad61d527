import type { OrderRequest, IncomingRequest } from '../model/payment-inputs.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { isIban, isOwnIban } from '../../../kernel/domain/iban.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { characterCount, hasAtMost } from '../../../kernel/domain/text-length.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { missingReference, type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import { transitionPayment, scheduledPayment, type Order, type Payment } from './payment.ts'
import type { Rail } from './rail.ts'

/** The maximum number of days between today and the execution date of a payment. */
export const maxDaysAhead = 365
/** Maximum lengths in a credit transfer message (ISO 20022: Max140Text, Max35Text, Max70Text). */
const maxLength = { remittanceInformation: 140, endToEndId: 35, creditorName: 70 } as const

/** The published data of an account. */
export interface AccountFact {
  arrangementId: string
  partyId: string
  currency: string
}

/** Removes the spaces from an IBAN and converts it to upper case. */
export function ibanFrom(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase()
}

/**
 * Creates the requested order on the first rail that reaches the creditor. Callers must check
 * beforehand that `debtor` may be debited. `creditor` is null if no account was found.
 * Throws VALIDATION_FAILED, INVALID_IBAN, INVALID_AMOUNT, CURRENCY_MISMATCH, SAME_ACCOUNT,
 * ARRANGEMENT_NOT_FOUND, ACCOUNT_NUMBER_NOT_FOUND, DESTINATION_NOT_REACHABLE.
 */
export function orderOf(
  request: OrderRequest,
  debtor: AccountFact,
  creditor: AccountFact | null,
  rails: readonly Rail[],
): Order {
  const { creditorArrangementId, endToEndId = null, remittanceInformation = null } = request
  requireOneCreditor(request)
  requireMaxLengths(request)
  const creditorIban = request.creditorIban ? ibanFrom(request.creditorIban) : null
  if (creditorIban && !isIban(creditorIban)) throw problemAt('INVALID_IBAN', '/creditorIban')
  const { currency } = request.amount
  const amountMinor = parseAmount(request.amount.amount, currency, '/amount/amount')
  if (amountMinor <= 0n) throw problemAt('INVALID_AMOUNT', '/amount/amount')
  const hasOtherCurrency = creditor !== null && creditor.currency !== currency
  if (debtor.currency !== currency || hasOtherCurrency) {
    throw problemAt('CURRENCY_MISMATCH', '/amount/currency')
  }
  const order = {
    partyId: debtor.partyId,
    debtorArrangementId: debtor.arrangementId,
    creditorArrangementId: creditor?.arrangementId ?? null,
    creditorPartyId: creditor?.partyId ?? null,
    creditorIban,
    creditorName: request.creditorName ?? null,
    amountMinor,
    currency,
    endToEndId,
    remittanceInformation,
  }
  if (creditor) {
    const isSameAccount = creditor.arrangementId === debtor.arrangementId
    if (isSameAccount)
      throw problemAt('SAME_ACCOUNT', creditorIban ? '/creditorIban' : creditorIdPointer)
  } else {
    if (!creditorIban)
      throw missingReference('ARRANGEMENT_NOT_FOUND', creditorArrangementId!, creditorIdPointer)
    if (isOwnIban(creditorIban)) throw problemAt('ACCOUNT_NUMBER_NOT_FOUND', '/creditorIban')
  }
  const arrangementId = creditor?.arrangementId ?? null
  const rail = rails.find((each) => each.reaches({ arrangementId, iban: creditorIban, currency }))
  if (!rail) throw problemAt('DESTINATION_NOT_REACHABLE', '/creditorIban')
  if (!creditor && !order.creditorName)
    throw invalid('/creditorName', 'A payment to another bank requires the name of the creditor.')
  return { ...order, rail: rail.name }
}

const creditorIdPointer = '/creditorArrangementId'

/** Throws VALIDATION_FAILED unless exactly one account of a creditor is given. */
export function requireOneCreditor({
  creditorArrangementId,
  creditorIban,
}: Pick<OrderRequest, 'creditorArrangementId' | 'creditorIban'>): void {
  if (!creditorArrangementId === !creditorIban) {
    throw invalid(
      creditorIban ? '/creditorIban' : creditorIdPointer,
      'Send exactly one of creditorArrangementId and creditorIban.',
    )
  }
}

function requireMaxLengths(request: Partial<Record<keyof typeof maxLength, string | null>>): void {
  for (const [member, max] of Object.entries(maxLength)) {
    const text = request[member as keyof typeof maxLength]
    if (!text || hasAtMost(max, text)) continue
    const detail = `The text has ${characterCount(text)} characters; the maximum is ${max}.`
    throw invalid(`/${member}`, detail)
  }
}

/**
 * Creates a settled incoming payment on a simulated rail. Throws VALIDATION_FAILED, INVALID_IBAN,
 * INVALID_AMOUNT and ACCOUNT_NUMBER_NOT_FOUND. Throws DESTINATION_NOT_REACHABLE if the debtor's
 * account is at this bank, or if no simulated rail reaches it in the currency.
 */
export function incomingOf(
  request: IncomingRequest,
  creditor: AccountFact | null,
  identity: Versioned & { paymentId: string },
  rails: readonly Rail[],
): Payment {
  requireMaxLengths({ ...request, creditorName: request.debtorName })
  const { amount, currency } = request.amount
  const debtorIban = ibanFrom(request.debtorIban)
  if (!isIban(debtorIban)) throw problemAt('INVALID_IBAN', '/debtorIban')
  const origin = { arrangementId: null, iban: debtorIban, currency }
  const rail = rails.find((each) => each.isSimulated && each.reaches(origin))
  if (isOwnIban(debtorIban) || !rail) throw problemAt('DESTINATION_NOT_REACHABLE', '/debtorIban')
  if (!creditor) throw problemAt('ACCOUNT_NUMBER_NOT_FOUND', '/creditorIban')
  const amountMinor = parseAmount(amount, currency, '/amount/amount')
  if (amountMinor <= 0n) throw problemAt('INVALID_AMOUNT', '/amount/amount')
  const { arrangementId, partyId } = creditor
  const order: Order = {
    partyId,
    debtorArrangementId: '',
    rail: rail.name,
    creditorArrangementId: arrangementId,
    creditorPartyId: partyId,
    creditorIban: ibanFrom(request.creditorIban),
    creditorName: null,
    amountMinor,
    currency,
    endToEndId: request.endToEndId ?? null,
    remittanceInformation: request.remittanceInformation ?? null,
  }
  const payment = scheduledPayment(order, identity, dateOf(identity.createdAt))
  return transitionPayment(payment, 'settled', {
    direction: 'in',
    debtorArrangementId: null,
    debtorIban,
    debtorName: request.debtorName,
    settledAt: identity.createdAt,
  })
}

/** Returns the requested date, or today if it is omitted. Throws EXECUTION_DATE_OUT_OF_RANGE. */
export function executionDateOf(
  requestedDate: LocalDate | null | undefined,
  now: Date,
  pointer = '/executionDate',
): LocalDate {
  const today = dateOf(now)
  if (!requestedDate) return today
  if (requestedDate >= today && requestedDate <= addDays(today, maxDaysAhead)) return requestedDate
  throw problemAt('EXECUTION_DATE_OUT_OF_RANGE', pointer)
}

export function problemAt(code: ProblemCode, pointer: string): Problem {
  const problem = new Problem(code)
  return new Problem(code, { errors: [{ pointer, code, detail: problem.message }] })
}

export function invalid(pointer: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer, code: 'INVALID', detail }],
  })
}
