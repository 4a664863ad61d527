import { Arg, Ctx, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { findKey } from '../store/kernel.ts'
import { IdempotencyRecord } from '../model/idempotency.ts'

const visibleAscii = /^[!-~]{1,80}$/

@Resolver()
export class IdempotencyResolver {
  /** Requires no scope, because callers can query only their own idempotency keys. */
  @Query(() => IdempotencyRecord, {
    nullable: true,
    description:
      'Returns the most recent request that the caller made with an idempotency key; null if ' +
      'there is none or if it is still in progress. Only requests made by the same client for ' +
      'the same party are found.',
  })
  idempotencyRecord(
    @Arg('key', () => String, {
      description: 'The idempotency key, 1 to 80 visible ASCII characters.',
    })
    key: string,
    @Arg('operation', () => String, {
      nullable: true,
      description: 'Returns only requests to this mutation, such as `createNotification`.',
    })
    operation: string | null,
    @Ctx() context: Context,
  ): Promise<IdempotencyRecord | null> {
    if (!visibleAscii.test(key)) {
      const detail = 'The key must be 1 to 80 visible ASCII characters.'
      throw new Problem('IDEMPOTENCY_KEY_INVALID', {
        errors: [{ pointer: '/key', code: 'IDEMPOTENCY_KEY_INVALID', detail }],
      })
    }
    return findKey(context, key, operation ?? null)
  }
}
