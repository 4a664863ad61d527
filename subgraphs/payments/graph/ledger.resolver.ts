import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql'
import { requireBank, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import { CurrencyScalar } from '../../_kernel/scalars.ts'
import { checkLedger } from '../../_ledger/check.ts'
import type { Authorisation as Chain } from '../../_ledger/domain/instruction.ts'
import { verifyJournal } from '../../_ledger/seal.ts'
import { readTrialBalance, type TrialBalance as Totals } from '../../_ledger/trial-balance.ts'
import { listAuthorisations } from '../store/posting.ts'
import {
  Authorisation,
  AuthorisationConnection,
  LedgerFinding,
  LedgerVerification,
  TrialBalance,
} from './ledger.types.ts'

/** The books as a whole; for the bank alone. */
@Resolver()
export class LedgerResolver {
  @Requires('postings:read')
  @Query(() => [TrialBalance], {
    description: 'Everything that is booked, now or as of an instant; of one currency or of each.',
  })
  async trialBalances(
    @Arg('asOf', () => Date, { nullable: true }) asOf: Date | null,
    @Ctx() context: Context,
  ): Promise<TrialBalance[]> {
    requireBank(context)
    return (await readTrialBalance(context.bank.pool, null, asOf)).map(totalsOut)
  }

  @Requires('postings:read')
  @Query(() => TrialBalance, {
    description: 'Everything that is booked in a currency, now or as of an instant.',
  })
  async trialBalance(
    @Arg('currency', () => CurrencyScalar) currency: string,
    @Arg('asOf', () => Date, { nullable: true }) asOf: Date | null,
    @Ctx() context: Context,
  ): Promise<TrialBalance> {
    requireBank(context)
    const [totals] = await readTrialBalance(context.bank.pool, currency, asOf)
    return totalsOut(totals ?? { currency, debitMinor: 0n, creditMinor: 0n, accounts: [] })
  }

  @Requires('operations:read')
  @Query(() => [LedgerFinding], {
    description: 'Checks every promise of the books; an empty list is what is expected.',
  })
  ledgerFindings(@Ctx() context: Context): Promise<LedgerFinding[]> {
    requireBank(context)
    return checkLedger(context.bank.pool)
  }

  @Requires('operations:read')
  @Query(() => LedgerVerification, {
    description: 'Compares the journal with its seals, from the first line to the last.',
  })
  verifyLedger(@Ctx() context: Context): Promise<LedgerVerification> {
    requireBank(context)
    return verifyJournal(context.bank.pool)
  }

  @Requires('postings:read')
  @Query(() => AuthorisationConnection, {
    description:
      'Promises of money of an account, oldest first; the open ones unless asked for all.',
  })
  authorisations(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Arg('isOpen', () => Boolean, { defaultValue: true }) isOpen: boolean,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'authorisations',
      { arrangementId, isOpen },
      { first, after },
      async (from, take) => {
        const found = await listAuthorisations(context, arrangementId, isOpen, from, take)
        return found.map(authorisationOut)
      },
      ({ openedAt, clientTransactionId }) => [openedAt.toISOString(), clientTransactionId],
    )
  }
}

function totalsOut({ currency, debitMinor, creditMinor, accounts }: Totals): TrialBalance {
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  return {
    currency,
    debit: money(debitMinor),
    credit: money(creditMinor),
    difference: money(debitMinor - creditMinor),
    accounts: accounts.map(({ code, type, ...totals }) => ({
      code,
      type,
      debit: money(totals.debitMinor),
      credit: money(totals.creditMinor),
    })),
  }
}

function authorisationOut(chain: Chain): Authorisation {
  const { currency, accountId } = chain
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  return {
    clientTransactionId: chain.clientTransactionId,
    arrangement: { arrangementId: accountId },
    direction: chain.direction,
    currency,
    authorised: money(chain.authorisedMinor),
    settled: money(chain.settledMinor),
    released: money(chain.releasedMinor),
    open: money(chain.openMinor),
    exceeded: money(chain.exceededMinor),
    state: chain.state,
    expiresAt: chain.expiresAt,
    openedAt: chain.openedAt,
  }
}
