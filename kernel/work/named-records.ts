import type { Context } from '../environment/context.ts'
import { command } from '../writing/command.ts'
import { advanceThrough, readNextEvents, type Consumer } from '../writing/consumer.ts'
import { processEach } from './worker.ts'

const batchSize = 100

/** The events of a consumer that name records, and what is done with the records. */
export interface NamedRecords<Item> {
  consumer: Consumer
  types: readonly string[]
  /** The member of the events that has the ID. */
  member: string
  find(context: Context, ids: readonly string[]): Promise<readonly Item[]>
  process(context: Context, item: Item): Promise<unknown>
}

/**
 * Processes the records that the next events of a consumer name. A record that fails is logged and
 * blocks no others: another worker must try it again. Returns the number of events.
 */
export async function processNamed<Item>(
  context: Context,
  { consumer, types, member, find, process }: NamedRecords<Item>,
): Promise<number> {
  const events = await readNextEvents(context.bank, consumer, types, [member], batchSize)
  if (events.length === 0) return 0
  const items = await find(
    context,
    events.flatMap((event) => event[member] ?? []),
  )
  await processEach(context, items, (item) => process(context, item)).catch(() => 0)
  return command<number>(context, consumer, {}, () =>
    Promise.resolve({ result: events.length, writes: [advanceThrough(consumer, events)] }),
  )
}
