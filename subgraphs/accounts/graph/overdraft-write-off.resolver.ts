import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import {
  changeOverdraftWriteOff,
  decideOverdraftWriteOff,
  previewOverdraftWriteOff,
  proposeOverdraftWriteOff,
  recoverOverdraft,
} from '../commands/overdraft-write-off.ts'
import { unrecoveredOf } from '../domain/overdraft-write-off.ts'
import { OverdraftWriteOffState } from '../model/enumerations.ts'
import {
  OverdraftWriteOff,
  OverdraftWriteOffPreview,
  overdraftWriteOffStates,
  ProposeOverdraftWriteOffInput,
  RecoverOverdraftInput,
} from '../model/overdraft-write-off.ts'
import { overdraftWriteOffTable } from '../store/overdraft-write-off.ts'

export const OverdraftWriteOffOperations = resolverOf({
  queries: {
    overdraftWriteOff: lookup(OverdraftWriteOff, {
      description: 'Returns the write-off of an overdraft. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      find: overdraftWriteOffTable.find,
    }),
    overdraftWriteOffs: listing(OverdraftWriteOff, {
      description:
        'Lists write-offs of overdrafts in the order in which they were proposed. Not available to ' +
        'delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      filters: {
        arrangementId: id('Returns only write-offs of this account.').orNull(),
        state: oneOf(OverdraftWriteOffState, 'Returns only write-offs in this state.').orNull(),
      },
      list: overdraftWriteOffTable.list,
      sortKey: overdraftWriteOffTable.sortKey,
    }),
    overdraftWriteOffPreview: operation({
      description:
        'Returns what the approval of a write-off would book now; null for an unknown account. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      returns: OverdraftWriteOffPreview,
      args: { arrangementId: id('The ID of the account.') },
      resolve: (context, { arrangementId }) => previewOverdraftWriteOff(context, arrangementId),
    }),
  },
  mutations: {
    proposeOverdraftWriteOff: operation({
      description:
        'Proposes to write off what an account owes. Another person has to approve it. Not ' +
        'available to delegated users.',
      scope: 'accounts:write',
      returns: OverdraftWriteOff,
      args: { input: object(ProposeOverdraftWriteOffInput, 'The write-off to propose.') },
      resolve: (context, { input }) =>
        proposeOverdraftWriteOff(context, {
          ...input,
          overdraftWriteOffId: input.overdraftWriteOffId ?? null,
        }),
    }),
    recoverOverdraft: operation({
      description:
        'Books money that arrived on an account after its overdraft was written off as a recovery. ' +
        'Not available to delegated users.',
      scope: 'accounts:write',
      needsPerson: true,
      returns: OverdraftWriteOff,
      args: { input: object(RecoverOverdraftInput, 'The recovery.') },
      resolve: (context, { input: { overdraftWriteOffId, amount } }) => {
        const { currency } = amount
        const amountMinor = parseAmount(amount.amount, currency, '/amount/amount')
        return recoverOverdraft(context, {
          overdraftWriteOffId,
          amount: { amountMinor, currency },
        })
      },
    }),
    ...transitionsOf(overdraftWriteOffStates, changeOverdraftWriteOff, {
      approveOverdraftWriteOff: decideOverdraftWriteOff,
      rejectOverdraftWriteOff: decideOverdraftWriteOff,
    }),
  },
})

@Resolver(() => OverdraftWriteOff)
export class OverdraftWriteOffResolver {
  @FieldResolver(() => MoneyType, {
    description:
      'What was written off; until it is approved, what the account owed at the proposal.',
  })
  amount(@Root() { amountMinor, currency }: OverdraftWriteOff): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'What was recovered so far.' })
  recovered(@Root() { recoveredMinor, currency }: OverdraftWriteOff): MoneyType {
    return moneyOut({ amountMinor: recoveredMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'What was written off and not recovered.' })
  unrecovered(@Root() writeOff: OverdraftWriteOff): MoneyType {
    return moneyOut({ amountMinor: unrecoveredOf(writeOff), currency: writeOff.currency })
  }
}

@Resolver(() => OverdraftWriteOffPreview)
export class OverdraftWriteOffPreviewResolver {
  @FieldResolver(() => MoneyType, { description: 'What the account owes, which would be booked.' })
  amount(@Root() { amountMinor, currency }: OverdraftWriteOffPreview): MoneyType {
    return moneyOut({ amountMinor, currency })
  }
}
