import { addDays, dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { isIban, isOwnIban } from '../../_kernel/domain/iban.ts'
import { parseAmount } from '../../_kernel/domain/money.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { missingReference, Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { movePayment, scheduledPayment, type Order, type Payment } from './payment.ts'
import { internal, type Rail } from './rail.ts'
import { sct } from './sct.ts'

/** Every rail; one outside is the first that reaches the account. */
export const rails = { internal, sct } as const satisfies Record<string, Rail>

/** Days ahead that a payment may be scheduled for. */
export const mostDaysAhead = 365
/** What the message of a credit transfer holds (ISO 20022: Max140Text, Max35Text, Max70Text). */
const longest = { remittanceInformation: 140, endToEndId: 35, creditorName: 70 } as const

/** Who is to be paid, as it is asked for: an account of the bank by its id, or any by its number. */
export interface OrderAsked {
  debtorArrangementId: string
  creditorArrangementId?: string | null
  creditorIban?: string | null
  creditorName?: string | null
  amount: { amount: string; currency: string }
  endToEndId?: string | null
  remittanceInformation?: string | null
}

/** An account as its owner area publishes it. */
export interface AccountFact {
  arrangementId: string
  partyId: string
  currency: string
}

/** The account number as it is compared: without blanks, in capitals. */
export function ibanFrom(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase()
}

/**
 * The order that was asked for, over the rail its destination needs. `debtor` is the caller's to
 * use, `creditor` the account inside the bank, when it is one.
 * Refuses with VALIDATION_FAILED, INVALID_IBAN, INVALID_AMOUNT, CURRENCY_MISMATCH, SAME_ACCOUNT,
 * ARRANGEMENT_NOT_FOUND, ACCOUNT_NUMBER_NOT_FOUND, DESTINATION_NOT_REACHABLE.
 */
export function orderOf(
  asked: OrderAsked,
  debtor: AccountFact,
  creditor: AccountFact | null,
): Order {
  const { creditorArrangementId, endToEndId = null, remittanceInformation = null } = asked
  requireOneCreditor(asked)
  requireShort(asked)
  const creditorIban = asked.creditorIban ? ibanFrom(asked.creditorIban) : null
  if (creditorIban && !isIban(creditorIban)) throw refused('INVALID_IBAN', '/creditorIban')
  const { currency } = asked.amount
  const amountMinor = parseAmount(asked.amount.amount, currency, '/amount/amount')
  if (amountMinor <= 0n) throw refused('INVALID_AMOUNT', '/amount/amount')
  const isOther = creditor !== null && creditor.currency !== currency
  if (debtor.currency !== currency || isOther) {
    throw refused('CURRENCY_MISMATCH', '/amount/currency')
  }
  const order = {
    partyId: debtor.partyId,
    debtorArrangementId: debtor.arrangementId,
    creditorArrangementId: creditor?.arrangementId ?? null,
    creditorPartyId: creditor?.partyId ?? null,
    creditorIban,
    creditorName: asked.creditorName ?? null,
    amountMinor,
    currency,
    endToEndId,
    remittanceInformation,
  }
  if (creditor) {
    const isSame = creditor.arrangementId === debtor.arrangementId
    if (isSame) throw refused('SAME_ACCOUNT', creditorIban ? '/creditorIban' : byId)
    return { ...order, rail: 'internal' }
  }
  if (!creditorIban) throw missingReference('ARRANGEMENT_NOT_FOUND', creditorArrangementId!, byId)
  return { ...order, rail: railTo(creditorIban, currency, asked.creditorName ?? null).name }
}

const byId = '/creditorArrangementId'

function railTo(iban: string, currency: string, creditorName: string | null): Rail {
  if (isOwnIban(iban)) throw refused('ACCOUNT_NUMBER_NOT_FOUND', '/creditorIban')
  const rail = Object.values<Rail>(rails).find((each) => each.reaches(iban, currency))
  if (!rail) throw refused('DESTINATION_NOT_REACHABLE', '/creditorIban')
  if (!creditorName) throw invalid('/creditorName', 'Outside the bank somebody is named.')
  return rail
}

function requireOneCreditor({ creditorArrangementId, creditorIban }: OrderAsked): void {
  if (!creditorArrangementId === !creditorIban) {
    throw invalid(creditorIban ? '/creditorIban' : byId, 'An account by its id or by its number.')
  }
}

function requireShort(asked: Partial<Record<keyof typeof longest, string | null>>): void {
  for (const [member, most] of Object.entries(longest)) {
    const text = asked[member as keyof typeof longest]
    if (text && text.length > most) throw invalid(`/${member}`, `At most ${most} characters.`)
  }
}

/** A payment from outside, as it is asked for. */
export interface IncomingAsked {
  creditorIban: string
  debtorIban: string
  debtorName: string
  amount: { amount: string; currency: string }
  endToEndId?: string | null
  remittanceInformation?: string | null
}

/**
 * A payment that arrived over the simulated rail.
 * Refuses with VALIDATION_FAILED, INVALID_IBAN, INVALID_AMOUNT, ACCOUNT_NUMBER_NOT_FOUND,
 * DESTINATION_NOT_REACHABLE (a payer that `sct` does not know, or another currency).
 */
export function incomingOf(
  asked: IncomingAsked,
  creditor: AccountFact | null,
  made: Versioned & { paymentId: string },
): Payment {
  requireShort({ ...asked, creditorName: asked.debtorName })
  const { amount, currency } = asked.amount
  const debtorIban = ibanFrom(asked.debtorIban)
  if (!isIban(debtorIban)) throw refused('INVALID_IBAN', '/debtorIban')
  if (isOwnIban(debtorIban) || !sct.reaches(debtorIban, currency)) {
    throw refused('DESTINATION_NOT_REACHABLE', '/debtorIban')
  }
  if (!creditor) throw refused('ACCOUNT_NUMBER_NOT_FOUND', '/creditorIban')
  const amountMinor = parseAmount(amount, currency, '/amount/amount')
  if (amountMinor <= 0n) throw refused('INVALID_AMOUNT', '/amount/amount')
  const { arrangementId, partyId } = creditor
  const order: Order = {
    partyId,
    debtorArrangementId: '',
    rail: 'sct',
    creditorArrangementId: arrangementId,
    creditorPartyId: partyId,
    creditorIban: ibanFrom(asked.creditorIban),
    creditorName: null,
    amountMinor,
    currency,
    endToEndId: asked.endToEndId ?? null,
    remittanceInformation: asked.remittanceInformation ?? null,
  }
  const payment = scheduledPayment(order, made, dateOf(made.createdAt))
  return movePayment(payment, 'settled', {
    direction: 'in',
    debtorArrangementId: null,
    debtorIban,
    debtorName: asked.debtorName,
    settledAt: made.createdAt,
  })
}

/** The day a payment is to be made. Refuses with EXECUTION_DATE_OUT_OF_RANGE. */
export function executionDateOf(
  asked: LocalDate | null | undefined,
  now: Date,
  pointer = '/executionDate',
): LocalDate {
  const today = dateOf(now)
  if (!asked) return today
  if (asked >= today && asked <= addDays(today, mostDaysAhead)) return asked
  throw refused('EXECUTION_DATE_OUT_OF_RANGE', pointer)
}

export function refused(code: ProblemCode, pointer: string): Problem {
  const problem = new Problem(code)
  return new Problem(code, { errors: [{ pointer, code, detail: problem.message }] })
}

export function invalid(pointer: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer, code: 'INVALID', detail }],
  })
}
