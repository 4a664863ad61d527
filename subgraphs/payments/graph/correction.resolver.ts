import { Arg, Ctx, Field, ID, InputType, Int, Mutation, Query, Resolver } from 'type-graphql'
import { requireBank, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import {
  decideCorrection,
  findCorrection,
  listCorrections,
  proposeCorrection,
  type BalanceCorrection as Correction,
  type CorrectionState,
  type Totals,
} from '../../_ledger/corrections.ts'
import { readCurrency } from '../../_ledger/read.ts'
import {
  BalanceCorrection,
  BalanceCorrectionConnection,
  CorrectionStateEnum,
  type BalanceTotals,
} from './correction.types.ts'

@InputType({ description: 'The balance to rebuild from its entries, and why.' })
class ProposeBalanceCorrectionInput {
  @Field(() => String, { description: 'The ledger account whose balance is inconsistent.' })
  accountId: string

  @Field(() => String, {
    defaultValue: 'default',
    description: 'The address within the account.',
  })
  address: string

  @Field(() => TextScalar, { description: 'What was found and how it was investigated.' })
  reason: string
}

/** Corrections of balances, by two persons of the bank. */
@Resolver()
export class CorrectionResolver {
  @Requires('operations:read')
  @Query(() => BalanceCorrection, {
    nullable: true,
    description: 'Returns a balance correction.',
  })
  async balanceCorrection(
    @Arg('correctionId', () => ID, { description: 'The id of the correction.' })
    correctionId: string,
    @Ctx() context: Context,
  ): Promise<BalanceCorrection | null> {
    requireBank(context)
    const found = await findCorrection(context.bank.pool, correctionId)
    return found && correctionOut(context, found)
  }

  @Requires('operations:read')
  @Query(() => BalanceCorrectionConnection, {
    description: 'Lists balance corrections in the order in which they were proposed.',
  })
  balanceCorrections(
    @Arg('accountId', () => String, {
      nullable: true,
      description: 'Only those of this ledger account.',
    })
    accountId: string | null,
    @Arg('state', () => CorrectionStateEnum, {
      nullable: true,
      description: 'Only those in this state.',
    })
    state: CorrectionState | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The page size, 1 to 200; 50 by default.',
    })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' })
    after: string | null,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    return readPage(
      context,
      'balanceCorrections',
      { accountId, state },
      { first, after },
      async (from, take) => {
        const filter = { accountId, state }
        const found = await listCorrections(context.bank.pool, filter, from?.[0] ?? null, take)
        return Promise.all(found.map((each) => correctionOut(context, each)))
      },
      ({ correctionId }) => [correctionId],
    )
  }

  @Requires('operations:manage')
  @Mutation(() => BalanceCorrection, {
    description:
      'Proposes to rebuild an inconsistent balance from its entries. Another person has to approve it.',
  })
  async proposeBalanceCorrection(
    @Arg('input', () => ProposeBalanceCorrectionInput) input: ProposeBalanceCorrectionInput,
    @Ctx() context: Context,
  ): Promise<BalanceCorrection> {
    const { accountId, address, reason } = input
    return correctionOut(context, await proposeCorrection(context, { accountId, address, reason }))
  }

  @Requires('operations:manage')
  @Mutation(() => BalanceCorrection, {
    description:
      'Approves a proposed correction and rebuilds the balance from its entries. The person who proposed it cannot approve it.',
  })
  async approveBalanceCorrection(
    @Arg('correctionId', () => ID, { description: 'The id of the correction.' })
    correctionId: string,
    @Ctx() context: Context,
  ): Promise<BalanceCorrection> {
    return correctionOut(context, await decideCorrection(context, correctionId, 'approved'))
  }

  @Requires('operations:manage')
  @Mutation(() => BalanceCorrection, {
    description:
      'Rejects a proposed correction; the balance stays as it is. The person who proposed it cannot reject it.',
  })
  async rejectBalanceCorrection(
    @Arg('correctionId', () => ID, { description: 'The id of the correction.' })
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
