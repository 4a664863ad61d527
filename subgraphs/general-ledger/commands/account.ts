import type { Context } from '../../../kernel/environment/context.ts'
import { changeRecord, createRecord, versioned } from '../../../kernel/writing/records.ts'
import { requireValidAccount, withChanges } from '../domain/chart.ts'
import type {
  ChangeGeneralLedgerAccountInput,
  CreateGeneralLedgerAccountInput,
  GeneralLedgerAccount,
} from '../model/account.ts'
import { accountKind, readChart } from '../store/account.ts'
import { readBook, reviseBook } from '../store/book.ts'
import { readMapping } from '../store/mapping-rule.ts'

/** Adds an account to the chart. Throws RESOURCE_EXISTS and what `requireValidAccount` throws. */
export function createAccount(
  context: Context,
  input: CreateGeneralLedgerAccountInput,
): Promise<GeneralLedgerAccount> {
  const { accountNumber, name, type, usage, parentNumber = null, currencies } = input
  const operation = 'createGeneralLedgerAccount'
  return createRecord(context, accountKind, operation, input, accountNumber, async (stamp) => {
    requireValidAccount(await readChart(context), input)
    return {
      record: {
        ...versioned(stamp),
        accountNumber,
        name,
        type,
        usage,
        parentNumber,
        currencies,
        allowsManualEntries: usage === 'posting' && input.allowsManualEntries,
        isActive: true,
      },
    }
  })
}

/**
 * Changes the properties of an account. Throws GENERAL_LEDGER_ACCOUNT_NOT_FOUND and what
 * `withChanges` throws.
 */
export function changeAccount(
  context: Context,
  input: ChangeGeneralLedgerAccountInput,
): Promise<GeneralLedgerAccount> {
  const event = 'general-ledger.account.changed'
  const { accountNumber } = input
  const operation = 'changeGeneralLedgerAccount'
  return changeRecord(
    context,
    accountKind,
    operation,
    input,
    accountNumber,
    event,
    async (before) => {
      // Before everything else, so that nothing that revises the book changes it before the commit.
      const book = await readBook(context)
      const [chart, mapping] = await Promise.all([readChart(context), readMapping(context)])
      const record = withChanges(chart, mapping, before, input)
      // The revision keeps a mapping rule from being approved meanwhile for an account that ends.
      return { record, writes: [reviseBook(book, book.closedThrough)] }
    },
  )
}
