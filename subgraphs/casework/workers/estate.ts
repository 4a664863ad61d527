import type { Context } from '../../../kernel/environment/context.ts'
import { command } from '../../../kernel/writing/command.ts'
import { advanceConsumer, declareConsumer } from '../../../kernel/writing/consumer.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { openCase } from '../commands/case.ts'

const deathEvent = 'parties.party.deceased'
const consumer = declareConsumer('casework.open-estate-cases', [deathEvent])

interface Death {
  position: string
  from: string
  eventId: string
  partyId: string
}

const nextSql = `
  with c as (select coalesce((select position from kernel.consumer where name = $1), 0) as position)
  select e.position::text, c.position::text as from, e.event_id as "eventId",
    e.data->>'partyId' as "partyId"
  from kernel.event e, c
  where e.type = $2 and e.position > c.position
  order by e.position limit 1`

/**
 * Opens an estate case for each deceased party. The case ID is derived from the event ID, so that
 * no second case is opened if the process crashes after it commits the case and before it commits
 * the position.
 */
export const openEstateCases: Worker = {
  name: consumer,
  purpose: 'Opens an estate case for each deceased party.',
  everyMs: dueFallbackMs,
  wakeOn: [deathEvent],
  async run(context: Context): Promise<number> {
    const [death] = await readRows<Death & Record<string, string>>(context.bank, nextSql, [
      consumer,
      deathEvent,
    ])
    if (!death) return 0
    const { eventId, partyId, from, position } = death
    await openCase(context, {
      caseId: eventId.replace(/^evt_/, 'case_'),
      caseType: 'estate',
      title: 'Estate of a deceased customer',
      description:
        'Identify the heirs or the executor, grant the executor rights to the accounts, review standing orders and settle loans.',
      partyId,
      subjects: [`party/${partyId}`],
    })
    return command(context, consumer, {}, () =>
      Promise.resolve({
        result: 1,
        writes: [advanceConsumer(consumer, BigInt(from), BigInt(position))],
      }),
    )
  },
}
