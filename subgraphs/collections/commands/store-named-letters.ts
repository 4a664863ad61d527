import type { Context } from '../../../kernel/environment/context.ts'
import { processNamed } from '../../../kernel/work/named-records.ts'
import { declareConsumer } from '../../../kernel/writing/consumer.ts'
import { findUndocumentedOf } from '../store/episode.ts'
import { storeLetter } from './store-letter.ts'

/**
 * The events after which a letter may be stored. Its step may be recorded before it is sent or
 * afterwards; a letter is delivered only after it is sent.
 */
export const letterTypes = [
  'collections.episode.step-taken',
  'notifications.notification.sent',
  'notifications.notification.suppressed',
  'notifications.notification.failed',
] as const

export const letterReader = declareConsumer('collections.store-letters', letterTypes)

/** Stores the letters that the next events name. Returns the number of events. */
export function storeNamedLetters(context: Context): Promise<number> {
  return processNamed(context, {
    consumer: letterReader,
    types: letterTypes,
    member: 'notificationId',
    find: findUndocumentedOf,
    process: storeLetter,
  })
}
