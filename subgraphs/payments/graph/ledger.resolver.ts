import { Arg, Ctx, ID, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { CurrencyScalar } from '../../../kernel/graph/scalars.ts'
import { checkLedger } from '../../../ledger/check.ts'
import type { Authorization as AuthorizationRecord } from '../../../ledger/domain/instruction.ts'
import { verifyJournal } from '../../../ledger/checkpoints.ts'
import { readTrialBalance, type TrialBalance as Totals } from '../../../ledger/trial-balance.ts'
import { listAuthorizations } from '../store/posting.ts'
import {
  Authorization,
  AuthorizationConnection,
  LedgerFinding,
  LedgerVerification,
  TrialBalance,
} from '../model/ledger.ts'

/** Queries over the ledger. Queries over the whole ledger are not available to delegated users. */
@Resolver()
export class LedgerResolver {
  @Requires('postings:read')
  @Query(() => [TrialBalance], {
    description: 'Returns the trial balance of every currency. Not available to delegated users.',
  })
  async trialBalances(
    @Arg('asOf', () => Date, {
      nullable: true,
      description:
        'The point in time of the trial balance: only entries that were booked by then are ' +
        'included. Defaults to now.',
    })
    asOf: Date | null,
    @Ctx() context: Context,
  ): Promise<TrialBalance[]> {
    requireBank(context)
    return (await readTrialBalance(context.bank.pool, null, asOf)).map(totalsOut)
  }

  @Requires('postings:read')
  @Query(() => TrialBalance, {
    description: 'Returns the trial balance of one currency. Not available to delegated users.',
  })
  async trialBalance(
    @Arg('currency', () => CurrencyScalar, { description: 'The currency of the trial balance.' })
    currency: string,
    @Arg('asOf', () => Date, {
      nullable: true,
      description:
        'The point in time of the trial balance: only entries that were booked by then are ' +
        'included. Defaults to now.',
    })
    asOf: Date | null,
    @Ctx() context: Context,
  ): Promise<TrialBalance> {
    requireBank(context)
    const [totals] = await readTrialBalance(context.bank.pool, currency, asOf)
    return totalsOut(totals ?? { currency, debitMinor: 0n, creditMinor: 0n, accounts: [] })
  }

  @Requires('operations:read')
  @Query(() => [LedgerFinding], {
    description:
      'Verifies all invariants of the ledger and returns the violations; the list is empty if ' +
      'there are none. Not available to delegated users.',
  })
  ledgerFindings(@Ctx() context: Context): Promise<LedgerFinding[]> {
    requireBank(context)
    return checkLedger(context.bank.pool)
  }

  @Requires('operations:read')
  @Query(() => LedgerVerification, {
    description:
      'Verifies the journal against its checkpoints, from the first line to the last. Not ' +
      'available to delegated users.',
  })
  verifyLedger(@Ctx() context: Context): Promise<LedgerVerification> {
    requireBank(context)
    return verifyJournal(context.bank.pool)
  }

  @Requires('postings:read')
  @Query(() => AuthorizationConnection, {
    description: 'Lists the authorizations of an account, oldest first.',
  })
  authorizations(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Arg('isOpen', () => Boolean, {
      defaultValue: true,
      description:
        'Whether to return only authorizations that still have an open amount. Defaults to true. ' +
        'If false, all authorizations are returned.',
    })
    isOpen: boolean,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'authorizations',
      { arrangementId, isOpen },
      { first, after },
      async (cursor, take) => {
        const found = await listAuthorizations(context, arrangementId, isOpen, cursor, take)
        return found.map(authorizationOut)
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

function authorizationOut(authorization: AuthorizationRecord): Authorization {
  const { currency, accountId } = authorization
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  return {
    clientTransactionId: authorization.clientTransactionId,
    arrangement: { arrangementId: accountId },
    direction: authorization.direction,
    currency,
    authorized: money(authorization.authorizedMinor),
    settled: money(authorization.settledMinor),
    released: money(authorization.releasedMinor),
    open: money(authorization.openMinor),
    exceeded: money(authorization.exceededMinor),
    state: authorization.state,
    expiresAt: authorization.expiresAt,
    openedAt: authorization.openedAt,
  }
}
