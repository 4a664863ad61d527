import { Requires } from '../../../kernel/authorization/auth.ts'
import { id, integer, money, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import {
  changeMaturityInstruction,
  createTermDeposit,
  withdrawTermDeposit,
} from '../commands/term-deposit.ts'
import { deposits } from '../commands/book.ts'
import { loadVisiblePosition } from '../commands/load-inputs.ts'
import { DepositOpeningPreview, PreviewDepositOpeningInput } from '../model/deposit-preview.ts'
import { TermDepositState } from '../model/enumerations.ts'
import { AccountArrangementStub } from '../model/references.ts'
import {
  ChangeMaturityInstructionInput,
  CreateTermDepositInput,
  EarlyWithdrawal,
  TermDeposit,
  TermDepositPreview,
  WithdrawalPreview,
  WithdrawTermDepositInput,
} from '../model/term-deposit.ts'
import { loadDepositsOf, termDepositTable } from '../store/term-deposit.ts'
import { previewDepositOpening } from './deposit-opening-preview.ts'
import { previewDepositTerm, previewWithdrawal } from './term-deposit-previews.ts'

export const TermDepositOperations = resolverOf({
  queries: {
    termDeposit: lookup(TermDeposit, {
      description: 'Returns a term deposit. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      find: termDepositTable.find,
    }),
    termDeposits: listing(TermDeposit, {
      description:
        'Lists term deposits in the order of their creation. Not available to delegated users; ' +
        'their deposits are in the field `termDeposits` of their accounts.',
      scope: 'accounts:read',
      isForBankOnly: true,
      filters: {
        arrangementId: id('Returns only deposits of this account.').orNull(),
        state: oneOf(TermDepositState, 'Returns only deposits in this state.').orNull(),
      },
      list: termDepositTable.list,
      sortKey: termDepositTable.sortKey,
    }),
    previewTermDeposit: operation({
      description:
        'Returns what a term deposit that begins today would earn until its maturity. Nothing is ' +
        'booked.',
      scope: 'accounts:read',
      returns: TermDepositPreview,
      args: {
        arrangementId: id('The ID of an account whose product offers fixed terms.'),
        amount: money('The amount of the deposit.'),
        months: integer('The length of the term, in months.'),
      },
      resolve: (context, args) => previewDepositTerm(context, args),
    }),
    previewDepositOpening: operation({
      description:
        'Returns what a savings account or a term deposit that is opened today would earn, and what an ' +
        'early withdrawal would cost. Nothing is booked. Customers can preview the products in ' +
        '`depositOffers`.',
      scope: 'accounts:read',
      returns: DepositOpeningPreview,
      args: { input: object(PreviewDepositOpeningInput, 'The deposit to preview.') },
      resolve: (context, { input }) => previewDepositOpening(context, input),
    }),
    previewTermDepositWithdrawal: operation({
      description:
        'Returns what an early withdrawal of a term deposit, requested today, would pay out. Nothing ' +
        'is booked. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      returns: WithdrawalPreview,
      args: { input: object(WithdrawTermDepositInput, 'The deposit to withdraw.') },
      resolve: (context, { input }) => previewWithdrawal(context, withdrawalOf(input)),
    }),
  },
  mutations: {
    createTermDeposit: operation({
      description:
        'Deposits money of a customer for a term, at the rate that the product offers today. The ' +
        'money is moved from the settlement account; then nothing can be posted to the account until ' +
        'the deposit has ended. Not available to delegated users.',
      scope: 'accounts:write',
      returns: TermDeposit,
      args: { input: object(CreateTermDepositInput, 'The deposit to create.') },
      resolve: (context, { input }) => createTermDeposit(context, input),
    }),
    changeMaturityInstruction: operation({
      description:
        'Changes what happens at the maturity of a term deposit, and to which account it is paid ' +
        'out. Customers can change their own deposits until the day before the maturity.',
      scope: 'accounts:write',
      returns: TermDeposit,
      args: { input: object(ChangeMaturityInstructionInput, 'What to change.') },
      resolve: (context, { input }) => changeMaturityInstruction(context, input),
    }),
    withdrawTermDeposit: operation({
      description:
        'Withdraws a term deposit before its maturity, less the agreed penalty: at once if no notice ' +
        'is agreed, otherwise after the days of notice. If the maturity is not later, the deposit is ' +
        'paid out then, without a penalty. Not available to delegated users.',
      scope: 'accounts:write',
      needsPerson: true,
      returns: TermDeposit,
      args: { input: object(WithdrawTermDepositInput, 'The deposit to withdraw.') },
      resolve: (context, { input }) => withdrawTermDeposit(context, withdrawalOf(input)),
    }),
  },
})

function withdrawalOf({ termDepositId, waiverReason }: WithdrawTermDepositInput) {
  return { termDepositId, waiverReason: waiverReason ?? null }
}

@Resolver(() => TermDeposit)
export class TermDepositResolver {
  @FieldResolver(() => AccountArrangementStub, {
    description: 'The account that holds the deposit.',
  })
  account(@Root() { arrangementId }: TermDeposit): AccountArrangementStub {
    return { arrangementId }
  }

  @FieldResolver(() => MoneyType, {
    description: 'The amount that is deposited at the beginning of the term.',
  })
  principal(@Root() { principalMinor, currency }: TermDeposit): MoneyType {
    return moneyOut({ amountMinor: principalMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description:
      'The interest of the term before tax: through yesterday while it runs, then in total.',
  })
  async interest(
    @Root() { arrangementId, interestMinor, accruedBeforeMinor, currency }: TermDeposit,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    if (interestMinor !== null) return moneyOut({ amountMinor: interestMinor, currency })
    const position = await loadVisiblePosition(context, deposits, arrangementId)
    const amountMinor = (position?.accruedMinor ?? accruedBeforeMinor) - accruedBeforeMinor
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The penalty for an early withdrawal; null while the deposit runs.',
  })
  penalty(@Root() { penaltyMinor, currency }: TermDeposit): MoneyType | null {
    return penaltyMinor === null ? null : moneyOut({ amountMinor: penaltyMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'What was paid to the settlement account at the end; null while the deposit runs. It is zero if ' +
      'the settlement account was closed: then the money stays in the account.',
  })
  paidOut(@Root() { paidOutMinor, currency }: TermDeposit): MoneyType | null {
    return paidOutMinor === null ? null : moneyOut({ amountMinor: paidOutMinor, currency })
  }

  @FieldResolver(() => EarlyWithdrawal, {
    nullable: true,
    description:
      'What it costs to withdraw the deposit before its maturity; null if it is not possible.',
  })
  earlyWithdrawal(@Root() { earlyWithdrawal }: TermDeposit) {
    return earlyWithdrawal
  }
}

@Resolver(() => AccountArrangementStub)
export class ArrangementTermDepositsResolver {
  @Requires('accounts:read')
  @FieldResolver(() => [TermDeposit], {
    description: 'The term deposits of the account, with those that ended, the latest first.',
  })
  async termDeposits(
    @Root() { arrangementId }: AccountArrangementStub,
    @Ctx() context: Context,
  ): Promise<TermDeposit[]> {
    return (await loadDepositsOf(context, arrangementId))!
  }
}
