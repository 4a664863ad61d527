import { input, string, text, type TypeOf } from '../../../kernel/domain/model.ts'
import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import {
  decideCorrection,
  findCorrection,
  listCorrections,
  proposeCorrection,
  type BalanceCorrection as Correction,
  type CorrectionState,
  type Totals,
} from '../../../ledger/corrections.ts'
import { readCurrency } from '../../../ledger/read.ts'
import {
  BalanceCorrection,
  BalanceCorrectionConnection,
  CorrectionStateEnum,
  type BalanceTotals,
} from '../model/correction.ts'

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
type ProposeBalanceCorrectionInput = TypeOf<typeof ProposeBalanceCorrectionInput>

/** Operations on balance corrections. Each correction requires two people of the bank. */
@Resolver()
export class CorrectionResolver {
  @Requires('operations:read')
  @Query(() => BalanceCorrection, {
    nullable: true,
    description: 'Returns a balance correction. Not available to delegated users.',
  })
  async balanceCorrection(
    @Arg('correctionId', () => ID, { description: 'The ID of the correction.' })
    correctionId: string,
    @Ctx() context: Context,
  ): Promise<BalanceCorrection | null> {
    requireBank(context)
    const found = await findCorrection(context.bank.pool, correctionId)
    return found && correctionOut(context, found)
  }

  @Requires('operations:read')
  @Query(() => BalanceCorrectionConnection, {
    description:
      'Lists balance corrections in the order in which they were proposed. Not available to ' +
      'delegated users.',
  })
  balanceCorrections(
    @Arg('accountId', () => String, {
      nullable: true,
      description: 'Returns only corrections of this ledger account.',
    })
    accountId: string | null,
    @Arg('state', () => CorrectionStateEnum, {
      nullable: true,
      description: 'Returns only corrections in this state.',
    })
    state: CorrectionState | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    return readPage(
      context,
      'balanceCorrections',
      { accountId, state },
      { first, after },
      async (cursor, take) => {
        const filter = { accountId, state }
        const found = await listCorrections(context.bank.pool, filter, cursor?.[0] ?? null, take)
        return Promise.all(found.map((each) => correctionOut(context, each)))
      },
      ({ correctionId }) => [correctionId],
    )
  }

  @Requires('operations:manage')
  @Mutation(() => BalanceCorrection, {
    description:
      'Proposes to rebuild an inconsistent balance from its entries. Another person must approve ' +
      'the correction.',
  })
  async proposeBalanceCorrection(
    @Arg('input', () => ProposeBalanceCorrectionInput, {
      description: 'The correction to propose.',
    })
    input: ProposeBalanceCorrectionInput,
    @Ctx() context: Context,
  ): Promise<BalanceCorrection> {
    const { accountId, address, reason } = input
    return correctionOut(context, await proposeCorrection(context, { accountId, address, reason }))
  }

  @Requires('operations:manage')
  @Mutation(() => BalanceCorrection, {
    description:
      'Approves a proposed correction and rebuilds the balance from its entries. The person who ' +
      'proposed the correction cannot approve it.',
  })
  async approveBalanceCorrection(
    @Arg('correctionId', () => ID, { description: 'The ID of the correction.' })
    correctionId: string,
    @Ctx() context: Context,
  ): Promise<BalanceCorrection> {
    return correctionOut(context, await decideCorrection(context, correctionId, 'approved'))
  }

  @Requires('operations:manage')
  @Mutation(() => BalanceCorrection, {
    description:
      'Rejects a proposed correction. The balance does not change. The person who proposed the ' +
      'correction cannot reject it.',
  })
  async rejectBalanceCorrection(
    @Arg('correctionId', () => ID, { description: 'The ID of the correction.' })
    correctionId: string,
    @Ctx() context: Context,
  ): Promise<BalanceCorrection> {
    return correctionOut(context, await decideCorrection(context, correctionId, 'rejected'))
  }
}

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
