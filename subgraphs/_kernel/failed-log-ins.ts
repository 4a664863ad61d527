import type { Bank } from './bank.ts'
import { command } from './command.ts'
import { declareEvents, type Told } from './events.ts'
import { id, record, text, whole } from './event-data.ts'
import { bankContext } from './worker.ts'

/** Failed log-ins to one name after which its owner is told, and again after each as many. */
const alertEvery = 10

const alertEvents = declareEvents(
  {
    'operations.log-in.failed-repeatedly':
      'Somebody tried to log in as a person many times with wrong passwords.',
  },
  record({ alertId: id, username: text, failures: whole }),
)

/** Wrong credentials, as the authorization server reports them. */
export interface FailedLogIn {
  kind: 'client' | 'person'
  name: string | null
  partyId: string | null
  isThrottled: boolean
  count: number
}

/** Adds wrong secrets and passwords to the audit of refusals, and alerts the person they were tried on. */
export function recordFailedLogIn(bank: Bank, failure: FailedLogIn): void {
  const { kind, name, isThrottled, count } = failure
  const wrong = kind === 'client' ? 'CLIENT_AUTHENTICATION_FAILED' : 'LOG_IN_FAILED'
  bank.refusals.note({
    caller: null,
    operation: kind === 'client' ? 'POST /oauth/token' : 'POST /oauth/interaction',
    code: isThrottled ? 'RATE_LIMITED' : wrong,
    resourceId: name ?? undefined,
    requestId: null,
  })
  if (kind !== 'person' || name === null || count % alertEvery !== 0) return
  alert(bank, failure, name).catch((error: Error) =>
    bank.log.warn({ error: error.message }, 'an alert of failed log-ins cannot be written'),
  )
}

async function alert(bank: Bank, { partyId, count }: FailedLogIn, username: string): Promise<void> {
  const context = bankContext(bank)
  const alertId = context.newId('event')
  const type: keyof typeof alertEvents = 'operations.log-in.failed-repeatedly'
  const event: Told = {
    type,
    subject: `log-in-alert/${alertId}`,
    version: 1,
    data: { alertId, username, failures: count },
    parties: partyId === null ? [] : [partyId],
  }
  await command(context, 'operations.alert-failed-log-ins', { username }, async () => ({
    result: undefined,
    events: [event],
  }))
}
