import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { chartOf, type Chart } from '../domain/chart.ts'
import { defaultAccounts } from '../domain/default-chart.ts'
import { accountEvents, type AccountEvent } from '../events.ts'
import type { GeneralLedgerAccount } from '../model/account.ts'

const table = tableOf<GeneralLedgerAccount>(
  'general_ledger.account',
  'accountNumber',
  ({ db }) => db.generalLedgerAccount as never,
)

/** Reads the chart of accounts. */
export async function readChart(context: Context): Promise<Chart> {
  return chartOf(await table.findMany(context, {}))
}

/** Lists accounts of the chart in the order of their numbers. */
export async function listAccounts(
  context: Context,
  { type, usage }: { type: string | null; usage: string | null },
  after: string[] | null,
  take: number,
): Promise<GeneralLedgerAccount[]> {
  const chart = await readChart(context)
  return [...chart.values()]
    .filter((account) => type === null || account.type === type)
    .filter((account) => usage === null || account.usage === usage)
    .filter(({ accountNumber }) => after === null || accountNumber > after[0]!)
    .slice(0, take)
}

export const accountKind: RecordKind<GeneralLedgerAccount, AccountEvent> = {
  ...table,
  ...accountEvents,
  id: 'generalLedgerAccount',
  notFound: 'GENERAL_LEDGER_ACCOUNT_NOT_FOUND',
  created: 'general-ledger.account.created',
  ownersOf: () => [],
  isPublished: false,
  /** Finds a stored account, or one of the default chart. */
  find: async (context, accountNumber) =>
    (await table.find(context, accountNumber)) ?? defaultAccounts.get(accountNumber) ?? null,
  /** A default account that changes is stored for the first time. */
  update: (before, after) =>
    before.version === 0 ? table.insert(after) : table.update(before, after),
}

/** Loads accounts by number: for each number its account, or null. */
export async function loadAccounts(
  context: Context,
  numbers: readonly string[],
): Promise<(GeneralLedgerAccount | null)[]> {
  const chart = await readChart(context)
  return numbers.map((accountNumber) => chart.get(accountNumber) ?? null)
}
