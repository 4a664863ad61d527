import { boolean, currency, id, instant } from '../../../kernel/domain/model.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { requireCallerWaits } from '../../../kernel/environment/context.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { checkLedger } from '../../../ledger/check.ts'
import { verifyJournal } from '../../../ledger/checkpoints.ts'
import type { Authorization as AuthorizationRecord } from '../../../ledger/domain/instruction.ts'
import { readTrialBalance, type TrialBalance as Totals } from '../../../ledger/trial-balance.ts'
import { Authorization, LedgerFinding, LedgerVerification, TrialBalance } from '../model/ledger.ts'
import { listAuthorizations } from '../store/posting.ts'

const asOf = instant(
  'The point in time of the trial balance: only entries that were booked by then are ' +
    'included. Defaults to now.',
).orNull()

/** Queries over the ledger. Queries over the whole ledger are not available to delegated users. */
export const LedgerOperations = resolverOf({
  queries: {
    trialBalances: operation({
      description: 'Returns the trial balance of every currency. Not available to delegated users.',
      scope: 'postings:read',
      isForBankOnly: true,
      returns: [TrialBalance],
      args: { asOf },
      resolve: async ({ bank }, { asOf }) =>
        (await readTrialBalance(bank.pool, null, asOf)).map(totalsOut),
    }),
    trialBalance: operation({
      description: 'Returns the trial balance of one currency. Not available to delegated users.',
      scope: 'postings:read',
      isForBankOnly: true,
      returns: TrialBalance,
      args: { currency: currency('The currency of the trial balance.'), asOf },
      async resolve({ bank }, { currency, asOf }) {
        const [totals] = await readTrialBalance(bank.pool, currency, asOf)
        return totalsOut(totals ?? { currency, debitMinor: 0n, creditMinor: 0n, accounts: [] })
      },
    }),
    ledgerFindings: operation({
      description:
        'Verifies all invariants of the ledger and returns the violations; the list is empty if ' +
        'there are none. Not available to delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: [LedgerFinding],
      args: {},
      resolve: ({ bank }): Promise<LedgerFinding[]> => checkLedger(bank.pool),
    }),
    verifyLedger: operation({
      description:
        'Verifies the journal against its checkpoints, from the first line to the last. Not ' +
        'available to delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: LedgerVerification,
      args: {},
      resolve: (context): Promise<LedgerVerification> =>
        verifyJournal(context.bank.pool, () => requireCallerWaits(context)),
    }),
    authorizations: listing(Authorization, {
      description: 'Lists the authorizations of an account, oldest first.',
      scope: 'postings:read',
      filters: {
        arrangementId: id('The ID of the account.'),
        isOpen: boolean(
          'Whether to return only authorizations that still have an open amount. Defaults to true. ' +
            'If false, all authorizations are returned.',
        ).defaultsTo(true),
      },
      async list(context, { arrangementId, isOpen }, after, take) {
        const found = await listAuthorizations(context, arrangementId, isOpen, after, take)
        return found.map(authorizationOut)
      },
      sortKey: ({ openedAt, clientTransactionId }) => [openedAt.toISOString(), clientTransactionId],
    }),
  },
})

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
