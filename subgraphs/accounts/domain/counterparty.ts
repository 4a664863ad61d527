import type { Money } from '../../_kernel/domain/money.ts'
import type { Narrative } from '../../_ledger/domain/narrative.ts'
import type { Side } from '../../_ledger/domain/account.ts'
import type { InstructionType } from '../../_ledger/domain/instruction.ts'

export const counterpartyKinds = ['customer', 'external', 'bank'] as const
export type CounterpartyKind = (typeof counterpartyKinds)[number]

/** An account that a posting moved. */
export interface MovedAccount {
  accountId: string
  /** `customer`, `loan`, or the code of an account of the bank. */
  code: string
  partyId: string | null
  side: Side
  amountMinor: bigint
  currency: string
}

/** A posting as a statement describes it. */
export interface DescribedPosting {
  type: InstructionType
  isExpiry: boolean
  narrative: Partial<Narrative>
  original: Partial<Narrative> | null
  entries: readonly MovedAccount[]
}

/** Who is on the other side of an entry, before names are looked up. */
export interface CounterpartyReference {
  kind: CounterpartyKind
  /** Of another customer's account. */
  accountId: string | null
  partyId: string | null
  /** Of somebody outside the bank, as the message of the payment names them. */
  name: string | null
  iban: string | null
  facilityId: string | null
}

const nobody = { accountId: null, partyId: null, name: null, iban: null, facilityId: null }

/** Accounts of the bank through which money goes to and comes from others. */
const passages = new Set(['settlement', 'settlement-sct', 'nostro', 'suspense'])

/**
 * The other side of an entry, by one rule for every kind of movement: the customer's account with the
 * opposite entry; else the loan; else, where money passed through to or from outside, whom the message
 * names; else the bank.
 */
export function counterpartyOf(
  { accountId, side }: { accountId: string; side: Side },
  { entries, narrative, original }: DescribedPosting,
): CounterpartyReference {
  const others = entries.filter((each) => each.accountId !== accountId && each.side !== side)
  const largest = [...others].sort((a, b) => (a.amountMinor < b.amountMinor ? 1 : -1))
  const customer = largest.find(({ code }) => code === 'customer')
  if (customer) {
    const { accountId: other, partyId } = customer
    return { ...nobody, kind: 'customer', accountId: other, partyId }
  }
  const loan = largest.find(({ code }) => code === 'loan')
  if (loan) return { ...nobody, kind: 'bank', facilityId: loan.accountId.replace(/^loan@/, '') }
  if (!largest.some(({ code }) => passages.has(code))) return { ...nobody, kind: 'bank' }
  const named = narrative.counterparty ?? original?.counterparty ?? {}
  return { ...nobody, kind: 'external', name: textOf(named['name']), iban: textOf(named['iban']) }
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
 * The text of a movement: what the payer wrote, else what the message wrote that it belongs to, else what
 * the movement is.
 */
export function textOfMovement({ type, isExpiry, narrative, original }: DescribedPosting): string {
  if (narrative.remittanceInformation) return narrative.remittanceInformation
  const written = original?.remittanceInformation
  if (type === 'release') {
    const what = isExpiry ? 'Authorization expired' : descriptions[type]
    return written ? `${what}: ${written}` : what
  }
  if (type === 'reversal') return written ? `${descriptions[type]}: ${written}` : descriptions[type]
  if (written) return written
  const isOfOrder = typeof narrative.metadata?.['standingOrderId'] === 'string'
  return isOfOrder ? 'Standing order' : descriptions[type]
}

/** The exchange that an entry is one side of, as the posting records it. */
export interface ExchangeReference {
  counterAmount: Money
  rate: string | null
  source: string | null
  asOf: Date | null
}

/** The exchange of a posting that moved another customer's account in another currency; null without one. */
export function exchangeOf(
  entry: { accountId: string; side: Side; currency: string },
  { entries, narrative, original }: DescribedPosting,
): ExchangeReference | null {
  const other = entries.find(
    (each) =>
      each.code === 'customer' &&
      each.accountId !== entry.accountId &&
      each.side !== entry.side &&
      each.currency !== entry.currency,
  )
  if (!other) return null
  const metadata = narrative.metadata?.['fx'] ?? original?.metadata?.['fx'] ?? {}
  const { rate, source, asOf } = metadata as Record<string, unknown>
  const { amountMinor, currency } = other
  const at = textOf(asOf)
  return {
    counterAmount: { amountMinor, currency },
    rate: textOf(rate),
    source: textOf(source),
    asOf: at === null ? null : new Date(at),
  }
}
