import type { Context } from '../_kernel/context.ts'
import { command } from '../_kernel/command.ts'
import { moveConsumer } from '../_kernel/consumer.ts'
import { readRows } from '../_kernel/read-rows.ts'
import type { Worker } from '../_kernel/worker.ts'
import { openCase } from './case-commands.ts'

const follower = 'casework.open-estate-cases'
const followed = 'parties.party.deceased'

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
 * Opens an estate case for each deceased party. The case id is derived from the event id, so that a
 * crash between committing the case and committing the position does not open a second case.
 */
export const openEstateCases: Worker = {
  name: follower,
  purpose: 'Opens an estate case for each deceased party.',
  everyMs: 10_000,
  wakeOn: [followed],
  async run(context: Context): Promise<number> {
    const [death] = await readRows<Death & Record<string, string>>(context.bank, nextSql, [
      follower,
      followed,
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
    return command(context, follower, {}, () =>
      Promise.resolve({
        result: 1,
        writes: [moveConsumer(follower, BigInt(from), BigInt(position))],
      }),
    )
  },
}
