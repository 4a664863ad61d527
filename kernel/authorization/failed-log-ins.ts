import type { Bank } from '../environment/bank.ts'
import { command } from '../writing/command.ts'
import { declareEvents, type DomainEvent } from '../events/events.ts'
import { id, record, text, integer } from '../events/event-data.ts'
import { bankContext } from '../work/worker.ts'

/** A person is alerted after this number of failed logins, and again after each multiple of it. */
const alertEvery = 10

const alertEvents = declareEvents(
  {
    'operations.log-in.failed-repeatedly':
      'Many logins to the account of one person failed because of wrong passwords.',
  },
  record({ alertId: id, username: text, failures: integer }),
)

/** A failed authentication that the authorization server reports. */
export interface FailedLogIn {
  kind: 'client' | 'person'
  name: string | null
  partyId: string | null
  isThrottled: boolean
  count: number
}

/**
 * Adds a failed authentication to the audit log of rejected requests. Every tenth failure for the
 * username of a person also alerts that person.
 */
export function recordFailedLogin(bank: Bank, failure: FailedLogIn): void {
  const { kind, name, isThrottled, count } = failure
  const failureCode = kind === 'client' ? 'CLIENT_AUTHENTICATION_FAILED' : 'LOG_IN_FAILED'
  bank.refusals.record({
    caller: null,
    operation: kind === 'client' ? 'POST /oauth/token' : 'POST /oauth/interaction',
    code: isThrottled ? 'RATE_LIMITED' : failureCode,
    resourceId: name ?? undefined,
    requestId: null,
  })
  if (kind !== 'person' || name === null || count % alertEvery !== 0) return
  alert(bank, failure, name).catch((error: Error) =>
    bank.log.warn({ error: error.message }, 'failed to write an alert about failed logins'),
  )
}

async function alert(bank: Bank, { partyId, count }: FailedLogIn, username: string): Promise<void> {
  const context = bankContext(bank)
  const alertId = context.newId('event')
  const type: keyof typeof alertEvents = 'operations.log-in.failed-repeatedly'
  const event: DomainEvent = {
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
