import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { findKey } from '../store/kernel.ts'
import { IdempotencyRecord } from './idempotency.types.ts'

const visibleAscii = /^[!-~]{1,80}$/

@Resolver()
export class IdempotencyResolver {
  /** Needs no scope: every caller may query its own idempotency keys, and only those. */
  @Query(() => IdempotencyRecord, {
    nullable: true,
    description:
      'Returns the most recent request that the caller made with an idempotency key; null ' +
      'when there is none or it is still in progress. Only keys of the same client acting ' +
      'for the same party are found.',
  })
  idempotencyRecord(
    @Arg('key', () => String, {
      description: 'The idempotency key, 1 to 80 visible ASCII characters.',
    })
    key: string,
    @Arg('operation', () => String, {
      nullable: true,
      description: 'Only requests of this mutation, such as `createNotification`.',
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
