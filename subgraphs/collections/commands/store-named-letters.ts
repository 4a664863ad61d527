import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { processEach } from '../../../kernel/work/worker.ts'
import {
  advanceConsumer,
  declareConsumer,
  readNextEvents,
} from '../../../kernel/writing/consumer.ts'
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

const batchSize = 100

/**
 * Stores the letters that the next events name. A letter that fails is logged and blocks no others:
 * another worker tries it again. Returns the number of events.
 */
export async function storeNamedLetters(context: Context): Promise<number> {
  const { bank } = context
  const named = await readNextEvents(bank, letterReader, letterTypes, ['notificationId'], batchSize)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last) return 0
  const ids = named.flatMap(({ notificationId }) => notificationId ?? [])
  const letters = await findUndocumentedOf(context, ids)
  await processEach(context, letters, (step) => storeLetter(context, step)).catch(() => 0)
  return command<number>(context, 'collections.store-letters', {}, () =>
    Promise.resolve({
      result: named.length,
      writes: [advanceConsumer(letterReader, BigInt(first.from), BigInt(last.position))],
    }),
  )
}
