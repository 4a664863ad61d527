import { formatAmount, parseAmount } from '../../../kernel/domain/money.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { internalAccountId, isChartCode } from '../../../ledger/domain/account.ts'
import { bookedLeg, type Leg } from '../../../ledger/domain/balance.ts'
import type { JournalEntryLineInput, StoredLine } from '../model/journal-entry.ts'
import { invalidInput, requireAccount, type Chart } from './chart.ts'
import { ownLedgerAccountId, type Mapping } from './mapping.ts'
import { Problem } from './problems.ts'

const maxLines = 100

/**
 * Returns the lines of a new journal entry, each on a ledger account. Throws VALIDATION_FAILED,
 * GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422), ACCOUNT_NOT_POSTABLE, INVALID_AMOUNT and
 * UNBALANCED_ENTRIES.
 */
export function linesFrom(
  inputs: readonly JournalEntryLineInput[],
  chart: Chart,
  mapping: Mapping,
  accountingDate: LocalDate,
): StoredLine[] {
  if (inputs.length < 2 || inputs.length > maxLines) {
    const detail = `The entry has ${inputs.length} lines; send 2 to ${maxLines}.`
    throw invalidInput('/lines', detail)
  }
  const lines = inputs.map((input, index) => {
    const pointer = `/lines/${index}`
    const { amount, currency } = input.amount
    const amountMinor = parseAmount(amount, currency, `${pointer}/amount`)
    if (amountMinor <= 0n) {
      const detail = 'The amount must be greater than zero.'
      const errors = [{ pointer: `${pointer}/amount`, code: 'INVALID_AMOUNT', detail }]
      throw new Problem('INVALID_AMOUNT', { detail, errors })
    }
    const ledgerAccountId = ledgerAccountOf(input, chart, mapping, accountingDate, pointer)
    return {
      accountNumber: input.accountNumber,
      ledgerAccountId,
      side: input.side,
      amountMinor,
      currency,
    }
  })
  requireBalanced(lines)
  return lines
}

function ledgerAccountOf(
  { accountNumber, internalAccountCode: code, amount: { currency } }: JournalEntryLineInput,
  chart: Chart,
  mapping: Mapping,
  day: LocalDate,
  pointer: string,
): string {
  const account = requireAccount(chart, accountNumber)
  const reason =
    account.usage === 'header'
      ? 'is a header account'
      : !account.isActive
        ? 'is not active'
        : !account.allowsManualEntries
          ? 'does not allow manual entries'
          : account.currencies.length > 0 && !account.currencies.includes(currency)
            ? `does not allow entries in ${currency}`
            : null
  if (reason !== null) throw notPostable(accountNumber, `${accountNumber} ${reason}.`, pointer)
  if (code === null || code === undefined) return ownLedgerAccountId(accountNumber, currency)
  if (
    !isChartCode(code) ||
    mapping.accountOf({ ledgerCode: code, productId: '' }, day) !== accountNumber
  ) {
    const detail = `The internal account ${code} does not belong to ${accountNumber} on ${day}.`
    throw notPostable(accountNumber, detail, `${pointer}/internalAccountCode`)
  }
  return internalAccountId(code, currency)
}

function notPostable(resourceId: string, detail: string, pointer: string): Problem {
  const errors = [{ pointer, code: 'ACCOUNT_NOT_POSTABLE', detail }]
  return new Problem('ACCOUNT_NOT_POSTABLE', { detail, resourceId, errors })
}

function requireBalanced(lines: readonly StoredLine[]): void {
  for (const currency of new Set(lines.map((line) => line.currency))) {
    const difference = lines
      .filter((line) => line.currency === currency)
      .reduce(
        (sum, { side, amountMinor }) => sum + (side === 'debit' ? amountMinor : -amountMinor),
        0n,
      )
    if (difference === 0n) continue
    const amount = formatAmount(difference, currency)
    const detail = `The debits less the credits are ${amount} ${currency}; they must be zero.`
    const errors = [{ pointer: '/lines', code: 'UNBALANCED_ENTRIES', detail }]
    throw new Problem('UNBALANCED_ENTRIES', { detail, errors })
  }
}

/** Returns the legs of a posting that books lines. */
export function legsOf(lines: readonly StoredLine[]): Leg[] {
  return lines.map(({ ledgerAccountId, side, amountMinor, currency }) =>
    bookedLeg(ledgerAccountId, side, amountMinor, currency),
  )
}

/** A ledger account of income or expenses with its balance; a debit balance is positive. */
export interface ResultBalance {
  accountNumber: string
  ledgerAccountId: string
  currency: string
  balanceMinor: bigint
}

/**
 * Returns the lines that transfer the balances of income and expenses to an equity account: each
 * account is credited with its debit balance or debited with its credit balance, and the equity
 * account takes the sum of each currency. Empty if all balances are zero.
 */
export function yearEndLines(
  balances: readonly ResultBalance[],
  equityNumber: string,
): StoredLine[] {
  const lineOf = (
    accountNumber: string,
    ledgerAccountId: string,
    currency: string,
    minor: bigint,
  ): StoredLine[] =>
    minor === 0n
      ? []
      : [
          {
            accountNumber,
            ledgerAccountId,
            side: minor > 0n ? 'debit' : 'credit',
            amountMinor: minor > 0n ? minor : -minor,
            currency,
          },
        ]
  const currencies = [...new Set(balances.map(({ currency }) => currency))].sort()
  return currencies.flatMap((currency) => {
    const own = balances.filter((each) => each.currency === currency)
    const sumMinor = own.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)
    return [
      ...own.flatMap(({ accountNumber, ledgerAccountId, balanceMinor }) =>
        lineOf(accountNumber, ledgerAccountId, currency, -balanceMinor),
      ),
      ...lineOf(equityNumber, ownLedgerAccountId(equityNumber, currency), currency, sumMinor),
    ]
  })
}
