import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import { DateTimeScalar } from '../../_kernel/scalars.ts'
import { advanceClock } from '../advance-clock.ts'
import { revokeTokens } from '../revoke-tokens.ts'
import { Environment } from './environment.types.ts'
import { ProblemKind, problemKinds } from './problem.types.ts'
import { RevokeTokensInput, TokenRevocation } from './revocation.types.ts'

@Resolver()
export class OperationsResolver {
  @Query(() => [ProblemKind], {
    description: 'The error catalogue, in the order of the checks.',
  })
  problems(): readonly ProblemKind[] {
    return problemKinds
  }

  @Requires('operations:read')
  @Query(() => Environment, { description: 'Where you are, and what time it is there.' })
  environment(@Ctx() context: Context): Environment {
    return environmentAt(context, context.now())
  }

  @Requires('operations:manage')
  @Mutation(() => Environment, {
    description:
      'Moves the clock of the sandbox forward. What falls due meanwhile is done at once; tokens, ' +
      'idempotency keys and rate limits stay on real time.',
  })
  async advanceClock(
    @Arg('to', () => DateTimeScalar, { description: 'After `environment.now`.' }) to: Date,
    @Ctx() context: Context,
  ): Promise<Environment> {
    return environmentAt(context, await advanceClock(context, to))
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

function environmentAt({ bank }: Context, now: Date): Environment {
  return { name: bank.environment, now, businessDate: dateOf(now) }
}
