import { command } from '../../../kernel/writing/command.ts'
import { advanceConsumer, declareConsumer, readConsumer } from '../../../kernel/writing/consumer.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { isFinal } from '../../../kernel/domain/problem.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { alertChannels, alertOf } from '../domain/log-in-alert.ts'
import type { Reachability } from '../domain/suppression.ts'
import { createNotification } from '../commands/notification.ts'
import { alertEvent, readAlerts, type LogInAlert } from '../store/log-in-alert.ts'

const consumer = declareConsumer('notifications-log-in-alerts')
const maxEvents = 20_000

/**
 * Alerts people about failed login attempts on their account, once per series of failures, over a
 * channel that reaches them. The worker reads the event log, so that the response time of a login
 * reveals nothing to someone who guesses passwords. The idempotency key is derived from the event,
 * so that a retry after a crash sends no second notification.
 */
export const sendLogInAlerts: Worker = {
  name: 'notifications.send-log-in-alerts',
  purpose: 'Alerts people about failed login attempts on their account.',
  everyMs: dueFallbackMs,
  wakeOn: [alertEvent],
  async run(context: Context): Promise<number> {
    const { bank } = context
    const { from, to } = await readConsumer(bank.pool, consumer, maxEvents)
    if (from === to) return 0
    const alerts = await readAlerts(bank, from, to)
    for (const alert of alerts) await notify(context, alert)
    return command(context, 'sendLogInAlerts', null, async () => {
      // Another process may have processed the same events in the meantime.
      const current = await readConsumer(bank.pool, consumer, maxEvents)
      if (current.from !== from) return { result: 0 }
      return { result: Number(to - from), writes: [advanceConsumer(consumer, from, to)] }
    })
  },
}

async function notify(context: Context, { eventId, time, failures, parties }: LogInAlert) {
  const [partyId] = parties
  const content = alertOf(failures, time)
  if (!partyId || !content) return
  const [party] = (await readFacts(context, [`party/${partyId}`])) as (Reachability | null)[]
  if (!party) return
  for (const channel of alertChannels(party)) {
    const idempotencyKey = `log-in-alert:${eventId}:${channel}`
    const keyedContext = { ...context, envelope: { ...context.envelope, idempotencyKey } }
    try {
      await createNotification(keyedContext, { partyId, channel, ...content })
      return
    } catch (error) {
      if (!isFinal(error)) throw error
      // This channel has no usable template; the next channel may have one.
      context.bank.log.warn(
        { partyId, channel, code: error.code },
        'the failed-login alert was not sent',
      )
    }
  }
}
