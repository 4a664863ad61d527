import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { moneyOut } from '../../_kernel/graph/money.types.ts'
import { transactionFilter, type Transaction as Domain } from '../domain/transaction.ts'
import { listTransactions, loadAccountCurrency, loadPartyName } from '../store/transaction.ts'
import { ArrangementStub } from './posting.types.ts'
import { Transaction, TransactionConnection, TransactionFilterInput } from './transaction.types.ts'

const newestFirst = 'the newest first. A transaction keeps its place when it is settled.'

@Resolver(() => ArrangementStub)
export class AccountTransactionsResolver {
  @Requires('accounts:read')
  @FieldResolver(() => TransactionConnection, {
    description: `The transactions of the account, ${newestFirst}`,
  })
  transactions(
    @Root() { arrangementId }: ArrangementStub,
    @Arg('filter', () => TransactionFilterInput, { nullable: true })
    filter: TransactionFilterInput | null,
    @Arg('first', () => Int, { nullable: true, description: '1 to 200; 50 by default.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' })
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
    description: `The transactions of one account, ${newestFirst} Null if the caller can see no such account.`,
  })
  async transactions(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Arg('filter', () => TransactionFilterInput, { nullable: true })
    filter: TransactionFilterInput | null,
    @Arg('first', () => Int, { nullable: true, description: '1 to 200; 50 by default.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' })
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Transaction>> {
    const page = await transactionPage(context, arrangementId, filter, { first, after })
    if (page) return page
    throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
  }
}

/** One page; null for an account that the caller may not see. */
async function transactionPage(
  context: Context,
  arrangementId: string,
  asked: TransactionFilterInput | null,
  page: { first: number | null; after: string | null },
): Promise<Page<Transaction> | null> {
  const currency = await loadAccountCurrency(context, arrangementId)
  if (currency === null) return null
  const filter = transactionFilter(asked ?? {}, currency)
  const { minAmountMinor, maxAmountMinor, ...rest } = filter
  const amounts = [minAmountMinor, maxAmountMinor].map((amount) => amount?.toString() ?? null)
  const sequences = new Map<Transaction, number>()
  return readPage(
    context,
    'transactions',
    { arrangementId, ...rest, amounts },
    page,
    async (from, take) => {
      const found = await listTransactions(context, arrangementId, filter, from?.[0], take)
      const nodes = await Promise.all(found.map((each) => transactionOut(context, each)))
      nodes.forEach((node, at) => sequences.set(node, found[at]!.sequence))
      return nodes
    },
    (node) => [String(sequences.get(node))],
  )
}

async function transactionOut(context: Context, transaction: Domain): Promise<Transaction> {
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
