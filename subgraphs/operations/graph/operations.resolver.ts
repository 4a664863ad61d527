import { Ctx, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { requireFound } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addDays, dateOf } from '../../../kernel/domain/dates.ts'
import { id, instant, object } from '../../../kernel/domain/model.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
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

  @Query(() => Environment, {
    description: 'Returns the environment in which the caller operates, and its time.',
  })
  async environment(@Ctx() context: Context): Promise<Environment> {
    const isShown = context.caller.scopes.has('operations:read')
    const latest = isShown ? await findLatestAdvance(context) : null
    return environmentAt(context, context.now(), latest)
  }
}

export const EnvironmentOperations = resolverOf({
  queries: {
    clockAdvance: operation({
      description: 'Returns a move of the sandbox clock, with its progress.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: ClockAdvance,
      args: { clockAdvanceId: id('The ID of the clock advance.') },
      async resolve(context, { clockAdvanceId }) {
        const found = await clockAdvanceTable.find(context, clockAdvanceId)
        return advanceOut(requireFound(found, 'CLOCK_ADVANCE_NOT_FOUND', clockAdvanceId))
      },
    }),
  },
  mutations: {
    advanceClock: operation({
      description:
        'Moves the clock of the sandbox forward and returns immediately. Work that becomes due ' +
        'is done in the background: query `clockAdvance` until its status is `COMPLETED`. ' +
        'Tokens, idempotency keys and rate limits continue to use real time.',
      scope: 'operations:manage',
      returns: Environment,
      args: {
        to: instant(
          'The new time, after `environment.now` and at most 100 years ahead of real time.',
        ),
      },
      async resolve(context, { to }) {
        const advance = await advanceClock(context, to)
        return environmentAt(context, advance.toAt, advance)
      },
    }),
    revokeTokens: operation({
      description:
        'Revokes a token, or all tokens of a client, a person or a grant. The revocation takes ' +
        'effect everywhere within a second, closes open sockets and prevents the refresh of ' +
        'tokens.',
      scope: 'operations:manage',
      returns: TokenRevocation,
      args: { input: object(RevokeTokensInput, 'The tokens to revoke.') },
      resolve: (context, { input }) => revokeTokens(context, input),
    }),
  },
})

function environmentAt({ bank }: Context, now: Date, latest: Domain | null): Environment {
  const clockAdvance = latest && advanceOut(latest)
  return { name: bank.environment, now, businessDate: dateOf(now), clockAdvance }
}

function advanceOut(advance: Domain): ClockAdvance {
  const { fromAt: from, toAt: to, closedThrough: businessDate } = advance
  return { ...advance, from, to, businessDate, targetBusinessDate: addDays(dateOf(to), -1) }
}
