import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { findKey } from '../store/kernel.ts'
import { IdempotencyRecord } from './idempotency.types.ts'

const visibleAscii = /^[!-~]{1,80}$/

@Resolver()
export class IdempotencyResolver {
  /** No scope: whoever may act may ask what became of it, and sees nobody else's keys. */
  @Query(() => IdempotencyRecord, {
    nullable: true,
    description:
      'Did it happen? What one of your own idempotency keys did: of this client, and of the party ' +
      'it acts for. The most recent, when several operations used the key; null when none did, or ' +
      'the request is still running.',
  })
  idempotencyRecord(
    @Arg('key', () => String) key: string,
    @Arg('operation', () => String, {
      nullable: true,
      description: 'The mutation, such as `createNotification`.',
    })
    operation: string | null,
    @Ctx() context: Context,
  ): Promise<IdempotencyRecord | null> {
    if (!visibleAscii.test(key)) {
      const detail = 'A key is 1 to 80 visible ASCII characters.'
      throw new Problem('IDEMPOTENCY_KEY_INVALID', {
        errors: [{ pointer: '/key', code: 'IDEMPOTENCY_KEY_INVALID', detail }],
      })
    }
    return findKey(context, key, operation ?? null)
  }
}
