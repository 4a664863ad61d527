import { Arrangement } from '../model/arrangement.ts'
import { BlockKind } from '../model/enumerations.ts'
import { Arg, Ctx, ID, Mutation, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { TextScalar } from '../../../kernel/graph/scalars.ts'
import { changeArrangement } from '../commands/arrangement.ts'
import { blockArrangement, closeArrangement, transitionArrangement } from '../domain/arrangement.ts'
import { balanceAmountsOf } from '../../../ledger/domain/balance.ts'

/**
 * The state transitions of an account. Delegated users can make only the transitions without
 * `requireBank`.
 */
@Resolver(() => Arrangement)
export class ArrangementLifecycleResolver {
  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description: 'Approves a pending account. Not available to delegated users.',
  })
  activateAccountArrangement(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'activateAccountArrangement',
      { arrangementId },
      'activate',
      (arrangement) => transitionArrangement(arrangement, 'activate'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description: 'Rejects a pending account. Not available to delegated users.',
  })
  rejectAccountArrangement(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'The reason for the rejection.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'rejectAccountArrangement',
      { arrangementId, reason },
      'reject',
      (arrangement) => transitionArrangement(arrangement, 'reject', reason ?? null),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, { description: 'Cancels a pending account.' })
  cancelAccountArrangement(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'The reason for the cancellation.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    return changeArrangement(
      context,
      'cancelAccountArrangement',
      { arrangementId, reason },
      'cancel',
      (arrangement) => transitionArrangement(arrangement, 'cancel', reason ?? null),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description:
      'Blocks an active account for debits, credits or both. Not available to delegated users.',
  })
  blockAccountArrangement(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Arg('kind', () => BlockKind, {
      description: 'The direction in which to block the account.',
    })
    kind: BlockKind,
    @Arg('reason', () => TextScalar, { nullable: true, description: 'The reason for the block.' })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    const input = { arrangementId, kind, reason }
    return changeArrangement(context, 'blockAccountArrangement', input, 'block', (arrangement) =>
      blockArrangement(arrangement, kind, reason ?? null),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description: 'Unblocks a blocked account. Not available to delegated users.',
  })
  unblockAccountArrangement(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'unblockAccountArrangement',
      { arrangementId },
      'unblock',
      (arrangement) => transitionArrangement(arrangement, 'unblock'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description:
      'Marks an active account as dormant because it has not been used for a long time. Not ' +
      'available to delegated users.',
  })
  markAccountArrangementDormant(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'markAccountArrangementDormant',
      { arrangementId },
      'markDormant',
      (arrangement) => transitionArrangement(arrangement, 'markDormant'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description: 'Reactivates a dormant account. Not available to delegated users.',
  })
  reactivateAccountArrangement(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'reactivateAccountArrangement',
      { arrangementId },
      'reactivate',
      (arrangement) => transitionArrangement(arrangement, 'reactivate'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description:
      'Requests the closure of an active or dormant account. Delegated users cannot request it ' +
      'for a dormant account.',
  })
  requestAccountArrangementClosure(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Arg('reason', () => TextScalar, { nullable: true, description: 'The reason for the closure.' })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    return changeArrangement(
      context,
      'requestAccountArrangementClosure',
      { arrangementId, reason },
      'requestClosure',
      (arrangement) => {
        // A closure request makes a dormant account debitable again. Only the bank may do that.
        if (arrangement.state === 'dormant') requireBank(context)
        return transitionArrangement(arrangement, 'requestClosure', reason ?? null)
      },
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description: 'Withdraws a closure request; the account becomes active.',
  })
  cancelAccountArrangementClosure(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    return changeArrangement(
      context,
      'cancelAccountArrangementClosure',
      { arrangementId },
      'cancelClosure',
      (arrangement) => transitionArrangement(arrangement, 'cancelClosure'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, {
    description:
      'Closes an account whose closure was requested. The account must have no balance, no open ' +
      'authorizations and no outstanding fees, and must not be the settlement account of an open ' +
      'facility. Not available to delegated users.',
  })
  closeAccountArrangement(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    const input = { arrangementId }
    const operation = 'closeAccountArrangement'
    return changeArrangement(context, operation, input, 'close', (arrangement, balance, now) =>
      closeArrangement(arrangement, balanceAmountsOf(balance), now),
    )
  }
}
