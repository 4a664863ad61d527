import { command } from '../_kernel/command.ts'
import { moveConsumer, readConsumer } from '../_kernel/consumer.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { readRows } from '../_kernel/read-rows.ts'
import type { Worker } from '../_kernel/worker.ts'
import { alertChannels, alertOf } from './domain/log-in-alert.ts'
import type { Reachability } from './domain/suppression.ts'
import { createNotification } from './notification-commands.ts'

const consumer = 'notifications-log-in-alerts'
const eventType = 'operations.log-in.failed-repeatedly'
const maxEvents = 20_000

interface AlertEvent {
  eventId: string
  time: Date
  failures: number
  parties: string[]
}

const alertsSql =
  'select event_id as "eventId", time, (data ->> \'failures\')::int as failures, parties from kernel.event ' +
  'where position > $1 and position <= $2 and type = $3 order by position'

/**
 * Notifies people of failed log-ins to their name, once per series of failures, over a channel that
 * reaches them. It works from the event log, so that whoever guesses learns nothing from how long an
 * answer takes. A notification has the key of its event: repeated after a crash, it is the same one.
 */
export const sendLogInAlerts: Worker = {
  name: 'notifications.send-log-in-alerts',
  purpose: 'Notifies people of failed log-ins to their name.',
  everyMs: 10_000,
  wakeOn: [eventType],
  async run(context: Context): Promise<number> {
    const { bank } = context
    const { from, to } = await readConsumer(bank.pool, consumer, maxEvents)
    if (from === to) return 0
    const values = [from.toString(), to.toString(), eventType]
    const alerts = await readRows<AlertEvent>(bank, alertsSql, values)
    for (const alert of alerts) await notify(context, alert)
    return command(context, 'sendLogInAlerts', null, async () => {
      // Another process may have been through the same events.
      const current = await readConsumer(bank.pool, consumer, maxEvents)
      if (current.from !== from) return { result: 0 }
      return { result: Number(to - from), writes: [moveConsumer(consumer, from, to)] }
    })
  },
}

async function notify(context: Context, { eventId, time, failures, parties }: AlertEvent) {
  const [partyId] = parties
  const content = alertOf(failures, time)
  if (!partyId || !content) return
  const [party] = (await readFacts(context, [`party/${partyId}`])) as (Reachability | null)[]
  if (!party) return
  for (const channel of alertChannels(party)) {
    const idempotencyKey = `log-in-alert:${eventId}:${channel}`
    const keyed = { ...context, envelope: { ...context.envelope, idempotencyKey } }
    try {
      await createNotification(keyed, { partyId, channel, ...content })
      return
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      // There is no text for that channel: the next one may have one.
      context.bank.log.warn({ partyId, channel, code: error.code }, 'no alert of failed log-ins')
    }
  }
}
