import { pointerMembers } from '../../_kernel/domain/problem-members.ts'
import type { AmountAsked, EntryAsked, InstructionAsked } from './asked.ts'

/** An amount as it is sent: with its currency, or as a decimal string in that of the account it moves on. */
export interface AmountSent {
  amount: string
  currency: string | null
}

/** Something with amounts as they were sent, before the currencies that were left out are known. */
export type WithAmountsSent<Asked extends InstructionAsked> = Omit<
  Asked,
  'amount' | 'creditorAmount' | 'entries'
> & {
  amount?: AmountSent | null
  creditorAmount?: AmountSent | null
  entries?: (Omit<EntryAsked, 'amount'> & { amount: AmountSent })[] | null
}

export type InstructionSent = WithAmountsSent<InstructionAsked>

/** Where the currency of an amount comes from. */
export type CurrencySource =
  { accountId: string; pointer: string } | { clientTransactionId: string; pointer: string }

/** Whether every amount of the instruction says its currency, as most do. */
export function isComplete({ amount, creditorAmount, entries }: InstructionSent): boolean {
  const isOpen = (sent: AmountSent | null | undefined) => sent?.currency === null
  return !isOpen(amount) && !isOpen(creditorAmount) && !entries?.some((each) => isOpen(each.amount))
}

/**
 * The accounts and authorizations that the instruction takes currencies from. What is missing to
 * find one is refused when the instruction is read.
 */
export function currencySources(sent: InstructionSent, at: string): CurrencySource[] {
  const sources: CurrencySource[] = []
  if (sent.amount?.currency === null) {
    const own = sent.debtorArrangementId ? 'debtorArrangementId' : 'arrangementId'
    const accountId = sent[own]
    const { clientTransactionId } = sent
    if (accountId) sources.push({ accountId, pointer: `${at}/${own}` })
    else if (clientTransactionId) {
      sources.push({ clientTransactionId, pointer: `${at}/clientTransactionId` })
    }
  }
  if (sent.creditorAmount?.currency === null && sent.creditorArrangementId) {
    const accountId = sent.creditorArrangementId
    sources.push({ accountId, pointer: `${at}/creditorArrangementId` })
  }
  for (const [index, { account, amount }] of (sent.entries ?? []).entries()) {
    if (amount.currency !== null || account.includes('/')) continue
    sources.push({ accountId: account, pointer: `${at}/entries/${index}/account` })
  }
  return sources
}

/** The instruction with every currency; `currencyOf` answers the currency of a source. */
export function completed<Asked extends InstructionAsked>(
  sent: WithAmountsSent<Asked>,
  currencyOf: (source: CurrencySource) => string,
): Asked {
  const sources = new Map(currencySources(sent, '').map((each) => [each.pointer, each]))
  const fill = (amount: AmountSent, ...pointers: string[]): AmountAsked => {
    if (amount.currency !== null) return { amount: amount.amount, currency: amount.currency }
    const source = pointers.map((pointer) => sources.get(pointer)).find(Boolean)
    return { amount: amount.amount, currency: source ? currencyOf(source) : '', isText: true }
  }
  const { amount, creditorAmount, entries } = sent
  return {
    ...sent,
    ...(amount && {
      amount: fill(amount, '/debtorArrangementId', '/arrangementId', '/clientTransactionId'),
    }),
    ...(creditorAmount && { creditorAmount: fill(creditorAmount, '/creditorArrangementId') }),
    ...(entries && {
      entries: entries.map((entry, index) => {
        const isOwn = entry.amount.currency === null && entry.account.includes('/')
        const filled = isOwn
          ? { ...entry.amount, currency: entry.account.split('/')[1] ?? '', isText: true }
          : fill(entry.amount, `/entries/${index}/account`)
        return { ...entry, amount: filled }
      }),
    }),
  } as unknown as Asked
}

/**
 * A pointer into an amount as a pointer into what was sent: an amount that is a decimal string has
 * no members.
 */
export function pointerInSent(sent: unknown, pointer: string): string {
  const members = pointerMembers(pointer)
  const parent = members
    .slice(0, -1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], sent)
  const isText = typeof parent === 'object' && parent !== null && isTextAmount(parent)
  return isText ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer
}

function isTextAmount(value: object): boolean {
  return 'amount' in value && 'currency' in value && value.currency === null
}
