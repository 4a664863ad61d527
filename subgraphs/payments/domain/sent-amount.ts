import { pointerMembers } from '../../../kernel/domain/problem-members.ts'
import type { AmountRequest, EntryRequest, InstructionRequest } from './instruction-request.ts'

/** An amount in a request. It has no currency if it was sent as a decimal string. */
export interface RequestedAmount {
  amount: string
  currency: string | null
}

/** An instruction whose amounts may have no currency. */
export type WithAmountsSent<Request extends InstructionRequest> = Omit<
  Request,
  'amount' | 'creditorAmount' | 'entries'
> & {
  amount?: RequestedAmount | null
  creditorAmount?: RequestedAmount | null
  entries?: readonly (Omit<EntryRequest, 'amount'> & { amount: RequestedAmount })[] | null
}

export type InstructionWithoutCurrencies = WithAmountsSent<InstructionRequest>

/** The source of an amount's currency: an account or an authorization. */
export type CurrencySource =
  { accountId: string; pointer: string } | { clientTransactionId: string; pointer: string }

/** Whether every amount of the instruction has a currency. */
export function hasAllCurrencies({
  amount,
  creditorAmount,
  entries,
}: InstructionWithoutCurrencies): boolean {
  const lacksCurrency = (value: RequestedAmount | null | undefined) => value?.currency === null
  return (
    !lacksCurrency(amount) &&
    !lacksCurrency(creditorAmount) &&
    !entries?.some((each) => lacksCurrency(each.amount))
  )
}

/**
 * Returns the accounts and authorizations that determine the missing currencies. `basePointer` is
 * the JSON pointer of the instruction. Amounts without any source are rejected later, when the
 * instruction is validated.
 */
export function currencySources(
  request: InstructionWithoutCurrencies,
  basePointer: string,
): CurrencySource[] {
  const sources: CurrencySource[] = []
  if (request.amount?.currency === null) {
    const accountField = request.debtorArrangementId ? 'debtorArrangementId' : 'arrangementId'
    const accountId = request[accountField]
    const { clientTransactionId } = request
    if (accountId) sources.push({ accountId, pointer: `${basePointer}/${accountField}` })
    else if (clientTransactionId) {
      sources.push({ clientTransactionId, pointer: `${basePointer}/clientTransactionId` })
    }
  }
  if (request.creditorAmount?.currency === null && request.creditorArrangementId) {
    const accountId = request.creditorArrangementId
    sources.push({ accountId, pointer: `${basePointer}/creditorArrangementId` })
  }
  for (const [index, { account, amount }] of (request.entries ?? []).entries()) {
    if (amount.currency !== null || account.includes('/')) continue
    sources.push({ accountId: account, pointer: `${basePointer}/entries/${index}/account` })
  }
  return sources
}

/**
 * Adds the missing currencies to an instruction. `currencyOf` returns the currency of a source. An
 * amount without a source gets an empty currency, which is rejected later.
 */
export function fillCurrencies<Request extends InstructionRequest>(
  request: WithAmountsSent<Request>,
  currencyOf: (source: CurrencySource) => string,
): Request {
  const sources = new Map(currencySources(request, '').map((each) => [each.pointer, each]))
  const fill = (amount: RequestedAmount, ...pointers: string[]): AmountRequest => {
    if (amount.currency !== null) return { amount: amount.amount, currency: amount.currency }
    const source = pointers.map((pointer) => sources.get(pointer)).find(Boolean)
    return { amount: amount.amount, currency: source ? currencyOf(source) : '', isText: true }
  }
  const { amount, creditorAmount, entries } = request
  return {
    ...request,
    ...(amount && {
      amount: fill(amount, '/debtorArrangementId', '/arrangementId', '/clientTransactionId'),
    }),
    ...(creditorAmount && { creditorAmount: fill(creditorAmount, '/creditorArrangementId') }),
    ...(entries && {
      entries: entries.map((entry, index) => {
        const isInternalAccount = entry.amount.currency === null && entry.account.includes('/')
        const filled = isInternalAccount
          ? { ...entry.amount, currency: entry.account.split('/')[1] ?? '', isText: true }
          : fill(entry.amount, `/entries/${index}/account`)
        return { ...entry, amount: filled }
      }),
    }),
  } as unknown as Request
}

/**
 * Converts the JSON pointer of a field into a pointer that exists in the request. For a field of an
 * amount that was sent as a decimal string, which has no fields, the pointer ends at the amount.
 */
export function pointerInRequest(sent: unknown, pointer: string): string {
  const segments = pointerMembers(pointer)
  const parent = segments
    .slice(0, -1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], sent)
  const isText = typeof parent === 'object' && parent !== null && isTextAmount(parent)
  return isText ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer
}

function isTextAmount(value: object): boolean {
  return 'amount' in value && 'currency' in value && value.currency === null
}
