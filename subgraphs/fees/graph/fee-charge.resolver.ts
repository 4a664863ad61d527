import { requireFound } from '../../../kernel/authorization/auth.ts'
import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { chargeFee, previewFeeCharge } from '../commands/charge-fee.ts'
import { changeCharge, decideRefund, proposeRefund } from '../commands/refund-charge.ts'
import { outstandingOf } from '../domain/fee-receivable.ts'
import { FeeChargeStatus } from '../model/enumerations.ts'
import {
  ChargeFeeInput,
  FeeCharge,
  FeeChargePreview,
  feeChargeStates,
} from '../model/fee-charge.ts'
import { FeeReceivable } from '../model/fee-receivable.ts'
import { AccountArrangementStub, PostingInstructionStub } from '../model/references.ts'
import { feeChargeTable, findVisibleCharge, listCharges } from '../store/fee-charge.ts'
import { loadReceivable } from '../store/fee-receivable.ts'

const feeToCharge = object(ChargeFeeInput, 'The fee to charge.')

export const FeeChargeOperations = resolverOf({
  queries: {
    feeCharge: lookup(FeeCharge, {
      description: 'Returns a fee charge.',
      scope: 'accounts:read',
      find: async (context, feeChargeId) =>
        requireFound(
          await findVisibleCharge(context, feeChargeId),
          'FEE_CHARGE_NOT_FOUND',
          feeChargeId,
        ),
    }),
    feeCharges: listing(FeeCharge, {
      description:
        'Lists the fees that were charged one by one, in the order in which they were recorded.',
      scope: 'accounts:read',
      filters: {
        arrangementId: id('Returns only charges of this account.').orNull(),
        status: oneOf(FeeChargeStatus, 'Returns only charges with this status.').orNull(),
      },
      list: listCharges,
      sortKey: feeChargeTable.sortKey,
    }),
    feeChargePreview: operation({
      description:
        'Returns what charging a fee to an account now would do, without charging it. Not ' +
        'available to delegated users.',
      scope: 'fees:run',
      returns: FeeChargePreview,
      args: { input: feeToCharge },
      resolve: (context, { input }) => previewFeeCharge(context, input),
    }),
  },
  mutations: {
    chargeFee: operation({
      description:
        'Charges a fee of the product to an account, for a service. If the account cannot pay ' +
        'now, the fee becomes a fee receivable, and `owed` has what is missing. Not available to delegated users.',
      scope: 'fees:run',
      needsPerson: true,
      returns: FeeCharge,
      args: { input: feeToCharge },
      resolve: (context, { input }) => chargeFee(context, input),
    }),
    ...transitionsOf(feeChargeStates, changeCharge, {
      proposeFeeRefund: proposeRefund,
      approveFeeRefund: decideRefund,
      rejectFeeRefund: decideRefund,
    }),
  },
})

@Resolver(() => FeeCharge)
export class FeeChargeResolver {
  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The charged account.',
  })
  arrangement(@Root() { arrangementId }: FeeCharge): AccountArrangementStub {
    return { arrangementId }
  }

  @FieldResolver(() => MoneyType, { description: 'The amount of the fee.' })
  amount(@Root() { amountMinor, currency }: FeeCharge): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The amount on which a percentage was charged; null if there was none.',
  })
  basis(@Root() { basisMinor, currency }: FeeCharge): MoneyType | null {
    return basisMinor === null ? null : moneyOut({ amountMinor: basisMinor, currency })
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description:
      'The posting of the charge or, if the account could not pay, of the receivable; null if ' +
      'nothing was booked.',
  })
  postingInstruction(@Root() { postingInstructionId }: FeeCharge) {
    return postingInstructionId === null ? null : { postingInstructionId }
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description: 'The posting of the refund; null if the fee was not refunded.',
  })
  refundedBy(@Root() { refundPostingId }: FeeCharge) {
    return refundPostingId === null ? null : { postingInstructionId: refundPostingId }
  }

  @FieldResolver(() => FeeReceivable, {
    nullable: true,
    description:
      'The receivable for a fee that the account could not pay when it was charged; null if the ' +
      'account paid it at once.',
  })
  receivable(
    @Root() { feeReceivableId }: FeeCharge,
    @Ctx() context: Context,
  ): Promise<FeeReceivable | null> | null {
    return feeReceivableId === null ? null : loadReceivable(context, feeReceivableId)
  }

  @FieldResolver(() => MoneyType, {
    description:
      'What the account still owes of the fee: the outstanding amount of its fee receivable. Zero ' +
      'if the account paid the fee at once or since, or if nothing was charged.',
  })
  async owed(@Root() charge: FeeCharge, @Ctx() context: Context): Promise<MoneyType> {
    const receivable = await this.receivable(charge, context)
    const amountMinor = receivable === null ? 0n : outstandingOf(receivable)
    return moneyOut({ amountMinor, currency: charge.currency })
  }
}
