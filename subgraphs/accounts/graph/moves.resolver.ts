import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { Requires, requireBank } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import { changeArrangement } from '../change.ts'
import {
  blockArrangement,
  closeArrangement,
  moveArrangement,
  type Arrangement,
  type BlockKind,
} from '../domain/arrangement.ts'
import { standingOf } from '../../_ledger/domain/balance.ts'
import { AccountArrangement, BlockKindEnum } from './arrangement.types.ts'

/** The moves of an arrangement. What a customer may do on their own is no matter of the bank alone. */
@Resolver(() => AccountArrangement)
export class ArrangementMovesResolver {
  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Approves a pending account.' })
  activateAccountArrangement(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'activateAccountArrangement',
      { arrangementId },
      'activate',
      (arrangement) => moveArrangement(arrangement, 'activate'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Does not approve a pending account.' })
  rejectAccountArrangement(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'rejectAccountArrangement',
      { arrangementId, reason },
      'reject',
      (arrangement) => moveArrangement(arrangement, 'reject', reason ?? null),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Gives up a pending account.' })
  cancelAccountArrangement(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    return changeArrangement(
      context,
      'cancelAccountArrangement',
      { arrangementId, reason },
      'cancel',
      (arrangement) => moveArrangement(arrangement, 'cancel', reason ?? null),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Stops money from moving, one way or both.' })
  blockAccountArrangement(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Arg('kind', () => BlockKindEnum) kind: BlockKind,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    const input = { arrangementId, kind, reason }
    return changeArrangement(context, 'blockAccountArrangement', input, 'block', (arrangement) =>
      blockArrangement(arrangement, kind, reason ?? null),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Lets money move again.' })
  unblockAccountArrangement(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'unblockAccountArrangement',
      { arrangementId },
      'unblock',
      (arrangement) => moveArrangement(arrangement, 'unblock'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, {
    description: 'Records that an account has not been used for long.',
  })
  markAccountArrangementDormant(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'markAccountArrangementDormant',
      { arrangementId },
      'markDormant',
      (arrangement) => moveArrangement(arrangement, 'markDormant'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Takes a dormant account into use again.' })
  reactivateAccountArrangement(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    return changeArrangement(
      context,
      'reactivateAccountArrangement',
      { arrangementId },
      'reactivate',
      (arrangement) => moveArrangement(arrangement, 'reactivate'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Asks for an account to be closed.' })
  requestAccountArrangementClosure(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    return changeArrangement(
      context,
      'requestAccountArrangementClosure',
      { arrangementId, reason },
      'requestClosure',
      (arrangement) => {
        // Money may leave it from then on: what is dormant is taken into use by the bank alone.
        if (arrangement.state === 'dormant') requireBank(context)
        return moveArrangement(arrangement, 'requestClosure', reason ?? null)
      },
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Keeps an account that was to be closed.' })
  cancelAccountArrangementClosure(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    return changeArrangement(
      context,
      'cancelAccountArrangementClosure',
      { arrangementId },
      'cancelClosure',
      (arrangement) => moveArrangement(arrangement, 'cancelClosure'),
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Ends an account on which nothing is left.' })
  closeAccountArrangement(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    requireBank(context)
    const input = { arrangementId }
    const operation = 'closeAccountArrangement'
    return changeArrangement(context, operation, input, 'close', (arrangement, balance, now) =>
      closeArrangement(arrangement, standingOf(balance), now),
    )
  }
}
