import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import type { JournalEntrySide, ProposeJournalEntryInput } from './queries.generated.ts'

/** A line as people type it. */
export interface LineValues {
  accountNumber: string
  internalAccountCode: string
  side: JournalEntrySide
  amount: string
}

/** A journal entry as people type it. All lines are in one currency. */
export interface EntryValues {
  accountingDate: string
  currency: string
  description: string
  lines: LineValues[]
}

export const emptyLine = (side: JournalEntrySide): LineValues => ({
  accountNumber: '',
  internalAccountCode: '',
  side,
  amount: '',
})

/** Returns what is wrong with the typed values, by the path of the field. */
export function errorsOf(values: EntryValues): Record<string, string> {
  const errors: Record<string, string> = {}
  if (!values.accountingDate) errors['accountingDate'] = 'On which day?'
  if (!/^[A-Za-z]{3}$/.test(values.currency.trim())) errors['currency'] = 'A currency such as EUR.'
  if (!values.description.trim()) errors['description'] = 'Required.'
  values.lines.forEach(({ accountNumber, amount }, index) => {
    const field = (name: keyof LineValues) => `lines.${index}.${name}`
    if (!accountNumber) errors[field('accountNumber')] = 'Which account?'
    if (!isAmount(amount)) errors[field('amount')] = 'An amount such as 120.00.'
  })
  return errors
}

/** Returns the typed values as the mutation expects them. */
export function inputOf(values: EntryValues): ProposeJournalEntryInput {
  const currency = values.currency.trim().toUpperCase()
  return {
    accountingDate: values.accountingDate,
    description: values.description.trim(),
    lines: values.lines.map(({ accountNumber, internalAccountCode, side, amount }) => ({
      accountNumber,
      side,
      amount: { amount: amountOf(amount), currency },
      ...(internalAccountCode.trim() && { internalAccountCode: internalAccountCode.trim() }),
    })),
  }
}
