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
    description: 'Returns the problem catalog in the order in which the checks are made.',
  })
  problems(): readonly ProblemKind[] {
    return problemKinds
  }

  @Requires('operations:read')
  @Query(() => Environment, {
    description: 'Returns the environment in which the caller operates, and its time.',
  })
  environment(@Ctx() context: Context): Environment {
    return environmentAt(context, context.now())
  }

  @Requires('operations:manage')
  @Mutation(() => Environment, {
    description:
      'Moves the clock of the sandbox forward. Work that falls due in the meantime is done ' +
      'immediately. Tokens, idempotency keys and rate limits stay on real time.',
  })
  async advanceClock(
    @Arg('to', () => DateTimeScalar, {
      description:
        'The new time, after `environment.now` and at most 100 years ahead of real time.',
    })
    to: Date,
    @Ctx() context: Context,
  ): Promise<Environment> {
    return environmentAt(context, await advanceClock(context, to))
  }

  @Requires('operations:manage')
  @Mutation(() => TokenRevocation, {
    description:
      'Revokes a token, or all tokens of a client, a person or a grant. The revocation ' +
      'takes effect everywhere within a second, closes open sockets and prevents token ' +
      'refresh.',
  })
  revokeTokens(
    @Arg('input', () => RevokeTokensInput, { description: 'The tokens to revoke.' })
    input: RevokeTokensInput,
    @Ctx() context: Context,
  ): Promise<TokenRevocation> {
    return revokeTokens(context, input)
  }
}

function environmentAt({ bank }: Context, now: Date): Environment {
  return { name: bank.environment, now, businessDate: dateOf(now) }
}
