import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addDays, dateOf } from '../../../kernel/domain/dates.ts'
import { Problem } from '../domain/problems.ts'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import { advanceClock } from '../commands/advance-clock.ts'
import type { ClockAdvance as Domain } from '../domain/clock-advance.ts'
import { revokeTokens } from '../commands/revoke-tokens.ts'
import { clockAdvanceTable, findLatestAdvance } from '../store/clock-advance.ts'
import { ClockAdvance } from '../model/clock-advance.ts'
import { Environment } from '../model/environment.ts'
import { ProblemKind, problemKinds } from './problem.types.ts'
import { RevokeTokensInput, TokenRevocation } from '../model/revocation.ts'

@Resolver()
export class OperationsResolver {
  @Query(() => [ProblemKind], {
    description:
      'Returns the problem catalog: the general codes in the order in which requests are ' +
      'checked, then the codes of the areas in alphabetical order.',
  })
  problems(): readonly ProblemKind[] {
    return problemKinds()
  }

  @Requires('operations:read')
  @Query(() => Environment, {
    description: 'Returns the environment in which the caller operates, and its time.',
  })
  async environment(@Ctx() context: Context): Promise<Environment> {
    const latest = await findLatestAdvance(context)
    return environmentAt(context, context.now(), latest)
  }

  @Requires('operations:read')
  @Query(() => ClockAdvance, {
    nullable: true,
    description: 'Returns a move of the sandbox clock, with its progress.',
  })
  async clockAdvance(
    @Arg('clockAdvanceId', () => ID, { description: 'The ID of the clock advance.' })
    clockAdvanceId: string,
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
      'Moves the clock of the sandbox forward and returns immediately. Work that becomes due is ' +
      'done in the background: query `clockAdvance` until its status is `COMPLETED`. Tokens, ' +
      'idempotency keys and rate limits continue to use real time.',
  })
  async advanceClock(
    @Arg('to', () => DateTimeScalar, {
      description:
        'The new time, after `environment.now` and at most 100 years ahead of real time.',
    })
    to: Date,
    @Ctx() context: Context,
  ): Promise<Environment> {
    const advance = await advanceClock(context, to)
    return environmentAt(context, advance.toAt, advance)
  }

  @Requires('operations:manage')
  @Mutation(() => TokenRevocation, {
    description:
      'Revokes a token, or all tokens of a client, a person or a grant. The revocation takes ' +
      'effect everywhere within a second, closes open sockets and prevents the refresh of ' +
      'tokens.',
  })
  revokeTokens(
    @Arg('input', () => RevokeTokensInput, { description: 'The tokens to revoke.' })
    input: RevokeTokensInput,
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
