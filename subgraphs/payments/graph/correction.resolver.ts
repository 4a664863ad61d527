import { id, input, object, oneOf, string, text } from '../../../kernel/domain/model.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import {
  decideCorrection,
  findCorrection,
  listCorrections,
  proposeCorrection,
  type BalanceCorrection as Correction,
  type Totals,
} from '../../../ledger/corrections.ts'
import { readCurrency } from '../../../ledger/read.ts'
import { BalanceCorrection, CorrectionStateEnum, type BalanceTotals } from '../model/correction.ts'

const ProposeBalanceCorrectionInput = input(
  'ProposeBalanceCorrectionInput',
  'The balance to rebuild from its entries, and the reason.',
  {
    accountId: string('The ID of the ledger account whose balance is inconsistent.'),
    address: string('The address within the ledger account. Defaults to `default`.').defaultsTo(
      'default',
    ),
    reason: text('The problem that was found, and how it was investigated.'),
  },
)

const correctionId = id('The ID of the correction.')

/** Operations on balance corrections. Each correction requires two people of the bank. */
export const CorrectionOperations = resolverOf({
  queries: {
    balanceCorrection: operation({
      description: 'Returns a balance correction. Not available to delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: BalanceCorrection,
      args: { correctionId },
      async resolve(context, { correctionId }) {
        const found = await findCorrection(context.bank.pool, correctionId)
        return found && correctionOut(context, found)
      },
    }),
    balanceCorrections: listing(BalanceCorrection, {
      description:
        'Lists balance corrections in the order in which they were proposed. Not available to ' +
        'delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      filters: {
        accountId: string('Returns only corrections of this ledger account.').orNull(),
        state: oneOf(CorrectionStateEnum, 'Returns only corrections in this state.').orNull(),
      },
      async list(context, filter, after, take) {
        const found = await listCorrections(context.bank.pool, filter, after?.[0] ?? null, take)
        return Promise.all(found.map((each) => correctionOut(context, each)))
      },
      sortKey: (correction) => [correction.correctionId],
    }),
  },
  mutations: {
    proposeBalanceCorrection: operation({
      description:
        'Proposes to rebuild an inconsistent balance from its entries. Another person must approve ' +
        'the correction.',
      scope: 'operations:manage',
      returns: BalanceCorrection,
      args: { input: object(ProposeBalanceCorrectionInput, 'The correction to propose.') },
      async resolve(context, { input: { accountId, address, reason } }) {
        const proposal = { accountId, address, reason }
        return correctionOut(context, await proposeCorrection(context, proposal))
      },
    }),
    approveBalanceCorrection: operation({
      description:
        'Approves a proposed correction and rebuilds the balance from its entries. The person who ' +
        'proposed the correction cannot approve it.',
      scope: 'operations:manage',
      needsPerson: true,
      returns: BalanceCorrection,
      args: { correctionId },
      resolve: async (context, { correctionId }) =>
        correctionOut(context, await decideCorrection(context, correctionId, 'approved')),
    }),
    rejectBalanceCorrection: operation({
      description:
        'Rejects a proposed correction. The balance does not change. The person who proposed the ' +
        'correction cannot reject it.',
      scope: 'operations:manage',
      needsPerson: true,
      returns: BalanceCorrection,
      args: { correctionId },
      resolve: async (context, { correctionId }) =>
        correctionOut(context, await decideCorrection(context, correctionId, 'rejected')),
    }),
  },
})

async function correctionOut(
  { bank }: Context,
  { totalsBefore, totalsAfter, ...correction }: Correction,
): Promise<BalanceCorrection> {
  const currency = await readCurrency(bank.pool, correction.accountId)
  return {
    ...correction,
    before: totalsBefore && totalsOut(totalsBefore, currency),
    after: totalsAfter && totalsOut(totalsAfter, currency),
  }
}

function totalsOut(totals: Totals, currency: string): BalanceTotals {
  const money = (name: keyof BalanceTotals) => formatAmount(BigInt(totals[name]!), currency)
  return {
    committedDebit: money('committedDebit'),
    committedCredit: money('committedCredit'),
    pendingInDebit: money('pendingInDebit'),
    pendingInCredit: money('pendingInCredit'),
    pendingOutDebit: money('pendingOutDebit'),
    pendingOutCredit: money('pendingOutCredit'),
  }
}
