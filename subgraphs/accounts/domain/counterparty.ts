import type { Counterparty } from '../model/balance.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import type { Narrative } from '../../../ledger/domain/narrative.ts'
import { transitAccounts, type Side } from '../../../ledger/domain/account.ts'
import type { InstructionType } from '../../../ledger/domain/instruction.ts'

/** One entry of a posting, with the account on which it is booked. */
export interface DescribedEntry {
  accountId: string
  /** `customer`, `loan`, or the code of an internal account. */
  code: string
  partyId: string | null
  side: Side
  amountMinor: bigint
  currency: string
}

/** The parts of a posting from which its entries are described. */
export interface DescribedPosting {
  type: InstructionType
  isExpiry: boolean
  narrative: Partial<Narrative>
  original: Partial<Narrative> | null
  entries: readonly DescribedEntry[]
}

/** The counterparty of an entry, before names are looked up. */
export interface CounterpartyReference extends Counterparty {
  /** The customer account on the other side; null if there is none. */
  accountId: string | null
  partyId: string | null
}

const noCounterparty = { accountId: null, partyId: null, name: null, iban: null, facilityId: null }

/**
 * Returns the counterparty of an entry. The same rule applies to all postings: the counterparty is
 * the customer account with the largest opposite entry; otherwise the loan; otherwise, if money
 * entered or left the bank, the counterparty in the payment message; otherwise the bank.
 */
export function counterpartyOf(
  { accountId, side }: { accountId: string; side: Side },
  { entries, narrative, original }: DescribedPosting,
): CounterpartyReference {
  const oppositeEntries = entries.filter(
    (each) => each.accountId !== accountId && each.side !== side,
  )
  const largestFirst = [...oppositeEntries].sort((a, b) => (a.amountMinor < b.amountMinor ? 1 : -1))
  const customer = largestFirst.find(({ code }) => code === 'customer')
  if (customer) {
    const { accountId: customerAccountId, partyId } = customer
    return { ...noCounterparty, kind: 'customer', accountId: customerAccountId, partyId }
  }
  const loan = largestFirst.find(({ code }) => code === 'loan')
  if (loan)
    return { ...noCounterparty, kind: 'bank', facilityId: loan.accountId.replace(/^loan@/, '') }
  if (!largestFirst.some(({ code }) => transitAccounts.has(code)))
    return { ...noCounterparty, kind: 'bank' }
  const party = narrative.counterparty ?? original?.counterparty ?? {}
  return {
    ...noCounterparty,
    kind: 'external',
    name: textOf(party['name']),
    iban: textOf(party['iban']),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

const descriptions: Readonly<Record<InstructionType, string>> = {
  'inbound-hard-settlement': 'Incoming payment',
  'outbound-hard-settlement': 'Outgoing payment',
  'inbound-authorisation': 'Announced payment',
  'outbound-authorisation': 'Authorized payment',
  'authorisation-adjustment': 'Change of an authorization',
  settlement: 'Authorized payment',
  release: 'Release of an authorization',
  transfer: 'Transfer',
  custom: 'Posting',
  reversal: 'Reversal',
}

/**
 * Returns the text of an entry: the remittance information of its own instruction; otherwise that
 * of the original instruction; otherwise a description of the instruction type. Releases and
 * reversals put their description before the original text.
 */
export function textOfMovement({ type, isExpiry, narrative, original }: DescribedPosting): string {
  if (narrative.remittanceInformation) return narrative.remittanceInformation
  const originalText = original?.remittanceInformation
  if (type === 'release') {
    const description = isExpiry ? 'Authorization expired' : descriptions[type]
    return originalText ? `${description}: ${originalText}` : description
  }
  if (type === 'reversal')
    return originalText ? `${descriptions[type]}: ${originalText}` : descriptions[type]
  if (originalText) return originalText
  const isStandingOrder = typeof narrative.metadata?.['standingOrderId'] === 'string'
  return isStandingOrder ? 'Standing order' : descriptions[type]
}

/** The currency exchange that an entry belongs to, as recorded in the posting. */
export interface ExchangeReference {
  counterAmount: Money
  rate: string | null
  source: string | null
  asOf: Date | null
}

/**
 * Returns the currency exchange of an entry; null if the posting has no opposite entry on another
 * customer account in another currency.
 */
export function exchangeOf(
  entry: { accountId: string; side: Side; currency: string },
  { entries, narrative, original }: DescribedPosting,
): ExchangeReference | null {
  const counterEntry = entries.find(
    (each) =>
      each.code === 'customer' &&
      each.accountId !== entry.accountId &&
      each.side !== entry.side &&
      each.currency !== entry.currency,
  )
  if (!counterEntry) return null
  const metadata = narrative.metadata?.['fx'] ?? original?.metadata?.['fx'] ?? {}
  const { rate, source, asOf } = metadata as Record<string, unknown>
  const { amountMinor, currency } = counterEntry
  const quotedAt = textOf(asOf)
  return {
    counterAmount: { amountMinor, currency },
    rate: textOf(rate),
    source: textOf(source),
    asOf: quotedAt === null ? null : new Date(quotedAt),
  }
}
