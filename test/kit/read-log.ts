import { declaredConsumers } from '../../kernel/writing/consumer.ts'
import type { RunningSubgraph } from './subgraph.ts'

type Rows = Pick<RunningSubgraph, 'rows'>

/**
 * Marks the event log of a bank as read by every declared consumer, as far as it goes. Parts of the
 * bank that another test file loaded into the same process have declared consumers, too, and the
 * archive waits for all of them.
 */
export async function markLogRead(bank: Rows): Promise<void> {
  for (const name of declaredConsumers()) await markRead(bank, name)
}

/** Marks the event log as read by one declared consumer. */
export async function markRead(bank: Rows, name: string): Promise<void> {
  if (name === 'general-ledger') {
    await bank.rows('update general_ledger.book set position = (select position from kernel.head)')
    return
  }
  await bank.rows(
    `insert into kernel.consumer select $1, position from kernel.head
     on conflict (name) do update set position = excluded.position`,
    [name],
  )
}
