import {
  TransactionFilterRequest,
  Transaction,
  TransactionConnection,
} from '../model/transaction.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { transactionFilter, type Transaction as TransactionRecord } from '../domain/transaction.ts'
import { listTransactions, loadAccountCurrency, loadPartyName } from '../store/transaction.ts'
import { ArrangementStub } from '../model/posting.ts'

@Resolver(() => ArrangementStub)
export class AccountTransactionsResolver {
  @Requires('accounts:read')
  @FieldResolver(() => TransactionConnection, {
    description:
      'The transactions of the account, newest first. A transaction keeps its position when it ' +
      'is settled.',
  })
  transactions(
    @Root() { arrangementId }: ArrangementStub,
    @Arg('filter', () => TransactionFilterRequest, {
      nullable: true,
      description: 'The filter that transactions must match.',
    })
    filter: TransactionFilterRequest | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Transaction> | null> {
    return transactionPage(context, arrangementId, filter, { first, after })
  }
}

@Resolver()
export class TransactionResolver {
  @Requires('accounts:read')
  @Query(() => TransactionConnection, {
    description:
      'Lists the transactions of an account, newest first. A transaction keeps its position when ' +
      'it is settled. Null if the account does not exist or is not visible to the caller.',
  })
  async transactions(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Arg('filter', () => TransactionFilterRequest, {
      nullable: true,
      description: 'The filter that transactions must match.',
    })
    filter: TransactionFilterRequest | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Transaction>> {
    const page = await transactionPage(context, arrangementId, filter, { first, after })
    if (page) return page
    throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
  }
}

/** Returns one page of transactions; null if the account is not visible to the caller. */
async function transactionPage(
  context: Context,
  arrangementId: string,
  request: TransactionFilterRequest | null,
  page: { first: number | null; after: string | null },
): Promise<Page<Transaction> | null> {
  const currency = await loadAccountCurrency(context, arrangementId)
  if (currency === null) return null
  const filter = transactionFilter(request ?? {}, currency)
  const { minAmountMinor, maxAmountMinor, ...rest } = filter
  const amounts = [minAmountMinor, maxAmountMinor].map((amount) => amount?.toString() ?? null)
  const sequences = new Map<Transaction, number>()
  return readPage(
    context,
    'transactions',
    { arrangementId, ...rest, amounts },
    page,
    async (cursor, take) => {
      const records = await listTransactions(context, arrangementId, filter, cursor?.[0], take)
      const nodes = await Promise.all(records.map((each) => transactionOut(context, each)))
      nodes.forEach((node, at) => sequences.set(node, records[at]!.sequence))
      return nodes
    },
    (node) => [String(sequences.get(node))],
  )
}

async function transactionOut(
  context: Context,
  transaction: TransactionRecord,
): Promise<Transaction> {
  const { side, amountMinor, currency, startedAt, counterparty, ...rest } = transaction
  const { partyId, iban } = counterparty
  const name = (partyId && (await loadPartyName(context, partyId))) ?? counterparty.name
  return {
    ...rest,
    creditDebitIndicator: side,
    amount: moneyOut({ amountMinor, currency }),
    date: dateOf(startedAt),
    counterparty: name || iban ? { name, accountIdentification: iban } : null,
  }
}
