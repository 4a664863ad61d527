import { Problem } from './problems.ts'
import { isCurrency } from '../../../kernel/domain/money.ts'
import type {
  ChangeGeneralLedgerAccountInput,
  CreateGeneralLedgerAccountInput,
  GeneralLedgerAccount,
} from '../model/account.ts'
import { defaultAccounts } from './default-chart.ts'
import type { Mapping } from './mapping.ts'

/** The accounts of the bank, by number. */
export type Chart = ReadonlyMap<string, GeneralLedgerAccount>

/** Returns the chart in the order of the numbers: the default accounts, replaced by stored ones. */
export function chartOf(stored: readonly GeneralLedgerAccount[]): Chart {
  const merged = new Map(defaultAccounts)
  for (const account of stored) merged.set(account.accountNumber, account)
  return new Map([...merged].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns the problem of one member of an input. */
export function invalidInput(pointer: string, detail: string): Problem {
  const errors = [{ pointer, code: 'INVALID_VALUE', detail }]
  return new Problem('VALIDATION_FAILED', { detail, errors })
}

/**
 * Checks the number, the currencies and the parent of a new account. Throws VALIDATION_FAILED,
 * GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422) for an unknown parent, and INVALID_PARENT_ACCOUNT.
 */
export function requireValidAccount(
  chart: Chart,
  {
    accountNumber,
    currencies,
    parentNumber,
    type,
  }: Pick<
    CreateGeneralLedgerAccountInput,
    'accountNumber' | 'currencies' | 'parentNumber' | 'type'
  >,
): void {
  if (!/^\d{3,10}$/.test(accountNumber)) {
    const detail = `The account number is "${accountNumber}"; it must have 3 to 10 digits.`
    throw invalidInput('/accountNumber', detail)
  }
  const unknownCurrency = currencies.find((currency) => !isCurrency(currency))
  if (unknownCurrency !== undefined) {
    throw invalidInput('/currencies', `${unknownCurrency} is not a currency.`)
  }
  if (parentNumber === null || parentNumber === undefined) return
  const parent = requireAccount(chart, parentNumber)
  for (let above: GeneralLedgerAccount | undefined = parent; above;) {
    if (above.accountNumber === accountNumber) {
      throw invalidParent(parentNumber, `${parentNumber} is below ${accountNumber}.`)
    }
    above = above.parentNumber === null ? undefined : chart.get(above.parentNumber)
  }
  if (parent.usage !== 'header') {
    throw invalidParent(parentNumber, `${parentNumber} is not a header account.`)
  }
  if (parent.type !== type) {
    throw invalidParent(parentNumber, `${parentNumber} has the type ${parent.type}, not ${type}.`)
  }
}

function invalidParent(resourceId: string, detail: string): Problem {
  return new Problem('INVALID_PARENT_ACCOUNT', { detail, resourceId })
}

/** Returns an account to which a request refers. Throws GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422). */
export function requireAccount(chart: Chart, accountNumber: string): GeneralLedgerAccount {
  const account = chart.get(accountNumber)
  if (account) return account
  const detail = `The chart of accounts has no account ${accountNumber}.`
  throw new Problem('GENERAL_LEDGER_ACCOUNT_NOT_FOUND', {
    status: 422,
    detail,
    resourceId: accountNumber,
  })
}

/** Returns an active posting account. Throws GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422) and ACCOUNT_NOT_POSTABLE. */
export function requirePostingAccount(chart: Chart, accountNumber: string): GeneralLedgerAccount {
  const account = requireAccount(chart, accountNumber)
  if (account.usage === 'posting' && account.isActive) return account
  const detail = `${accountNumber} is not an active posting account.`
  throw new Problem('ACCOUNT_NOT_POSTABLE', { detail, resourceId: accountNumber })
}

/**
 * Returns an account with changed properties. Throws what `requireValidAccount` throws, and
 * ACCOUNT_IN_USE if an account to which ledger accounts belong would become inactive.
 */
export function withChanges(
  chart: Chart,
  mapping: Mapping,
  before: GeneralLedgerAccount,
  input: ChangeGeneralLedgerAccountInput,
): GeneralLedgerAccount {
  const { accountNumber: _, ...members } = input
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== undefined)
  const after: GeneralLedgerAccount = { ...before, ...Object.fromEntries(given) }
  requireValidAccount(chart, after)
  if (before.isActive && !after.isActive) {
    const code = mapping.codesOf(before.accountNumber)[0]
    if (code !== undefined) {
      const detail = `The ledger accounts with the code ${code} belong to ${before.accountNumber}.`
      throw new Problem('ACCOUNT_IN_USE', { detail, resourceId: before.accountNumber })
    }
  }
  return after
}

/** An account with its level in the tree, which is 0 at the top. */
export interface PlacedAccount {
  account: GeneralLedgerAccount
  level: number
}

/** Returns the accounts of the chart in the order of the tree: each account before those below it. */
export function treeOf(chart: Chart): PlacedAccount[] {
  const below = new Map<string | null, GeneralLedgerAccount[]>()
  for (const account of chart.values()) {
    const siblings = below.get(account.parentNumber) ?? []
    below.set(account.parentNumber, [...siblings, account])
  }
  const placed = (parentNumber: string | null, level: number): PlacedAccount[] =>
    (below.get(parentNumber) ?? []).flatMap((account) => [
      { account, level },
      ...placed(account.accountNumber, level + 1),
    ])
  return placed(null, 0)
}
