import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { requireBank, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { addDays, dateOf } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { DateTimeScalar } from '../../_kernel/scalars.ts'
import { advanceClock } from '../advance-clock.ts'
import type { ClockAdvance as Domain } from '../domain/clock-advance.ts'
import { revokeTokens } from '../revoke-tokens.ts'
import { clockAdvanceTable, findLatestAdvance } from '../store/clock-advance.ts'
import { ClockAdvance } from './clock-advance.types.ts'
import { Environment } from './environment.types.ts'
import { ProblemKind, problemKinds } from './problem.types.ts'
import { RevokeTokensInput, TokenRevocation } from './revocation.types.ts'

@Resolver()
export class OperationsResolver {
  @Query(() => [ProblemKind], {
    description: 'The error catalogue, in the order of the checks. Needs a token, but no scope.',
  })
  problems(): readonly ProblemKind[] {
    return problemKinds
  }

  @Requires('operations:read')
  @Query(() => Environment, { description: 'Where you are, and what time it is there.' })
  async environment(@Ctx() context: Context): Promise<Environment> {
    const latest = await findLatestAdvance(context)
    return environmentAt(context, context.now(), latest)
  }

  @Requires('operations:read')
  @Query(() => ClockAdvance, {
    nullable: true,
    description:
      'One move of the sandbox clock, with how far the bank has caught up with it. For the bank.',
  })
  async clockAdvance(
    @Arg('clockAdvanceId', () => ID) clockAdvanceId: string,
    @Ctx() context: Context,
  ): Promise<ClockAdvance> {
    requireBank(context)
    const found = await clockAdvanceTable.find(context, clockAdvanceId)
    if (found) return advanceOut(found)
    throw new Problem('CLOCK_ADVANCE_NOT_FOUND', { resourceId: clockAdvanceId })
  }

  @Requires('operations:manage')
  @Mutation(() => Environment, {
    description:
      'Moves the clock of the sandbox forward and returns at once. What fell due meanwhile is done in the background: ' +
      'follow `clockAdvance` until its status is COMPLETED. Tokens, idempotency keys and rate limits stay on real time.',
  })
  async advanceClock(
    @Arg('to', () => DateTimeScalar, { description: 'After `environment.now`.' }) to: Date,
    @Ctx() context: Context,
  ): Promise<Environment> {
    const advance = await advanceClock(context, to)
    return environmentAt(context, advance.toAt, advance)
  }

  @Requires('operations:manage')
  @Mutation(() => TokenRevocation, {
    description:
      'Voids a token, or all that a client or a person was given until now, within a second and ' +
      'everywhere: sockets they opened are closed, and nothing can be renewed.',
  })
  revokeTokens(
    @Arg('input', () => RevokeTokensInput) input: RevokeTokensInput,
    @Ctx() context: Context,
  ): Promise<TokenRevocation> {
    return revokeTokens(context, input)
  }
}

function environmentAt({ bank }: Context, now: Date, latest: Domain | null): Environment {
  const clockAdvance = latest && advanceOut(latest)
  return { name: bank.environment, now, businessDate: dateOf(now), clockAdvance }
}

function advanceOut(advance: Domain): ClockAdvance {
  const { fromAt: from, toAt: to, closedThrough: businessDate } = advance
  return { ...advance, from, to, businessDate, targetBusinessDate: addDays(dateOf(to), -1) }
}
