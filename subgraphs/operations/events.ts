import { ClockAdvanceStatus } from './model/enumerations.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { type ClockAdvance } from './domain/clock-advance.ts'
import {
  date,
  boolean,
  id,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  integer,
} from '../../kernel/events/event-data.ts'
import { jobRequested } from '../../kernel/work/job-requests.ts'
import { revocationKinds, type Revocation } from '../../kernel/authorization/revocations.ts'

const clockChangeData = record({ from: instant, to: instant, aheadMs: integer })

export const clockEvents = declareEvents(
  {
    'operations.clock.advanced': 'The clock of the sandbox was moved forward.',
  },
  clockChangeData,
)

/**
 * The data of the event about a move of the clock. `aheadMs` is the new offset from real time, in
 * milliseconds.
 */
export interface ClockChange {
  from: Date
  to: Date
  aheadMs: number
  version: number
}

export function advanceEvent({ from, to, aheadMs, version }: ClockChange): DomainEvent {
  const type: keyof typeof clockEvents = 'operations.clock.advanced'
  return { type, subject: 'clock/sandbox', version, data: { from, to, aheadMs }, parties: [] }
}

const advanceData = record({
  clockAdvanceId: id,
  from: instant,
  to: instant,
  status: oneOf(ClockAdvanceStatus.values),
  closedThrough: orNull(date),
  failures: listOf(
    record({
      job: text,
      facilityId: orNull(id),
      businessDate: orNull(date),
      code: text,
      detail: text,
    }),
  ),
})

declareEvents(
  {
    'operations.clock-advance.completed':
      'All work that fell due up to the new time of the clock has been done.',
    'operations.clock-advance.failed':
      'Some work that fell due up to the new time of the clock failed. It is retried.',
  },
  advanceData,
)

/** Returns the event of an advance that completed or failed. */
export function publishAdvance(advance: ClockAdvance): DomainEvent {
  const { clockAdvanceId, fromAt, toAt, status, closedThrough, failures, version } = advance
  const data = { clockAdvanceId, from: fromAt, to: toAt, status, closedThrough, failures }
  const type = `operations.clock-advance.${status as 'completed' | 'failed'}` as const
  return { type, subject: `clock-advance/${clockAdvanceId}`, version, data, parties: [] }
}

export const tokenEvents = declareEvents(
  { 'operations.tokens.revoked': 'Tokens were revoked before their expiry.' },
  record({ kind: oneOf(revocationKinds), value: text, issuedUntil: instant }),
)

export function revocationEvent({ kind, value, issuedUntil }: Revocation): DomainEvent {
  const type: keyof typeof tokenEvents = 'operations.tokens.revoked'
  const data = { kind, value, issuedUntil }
  return { type, subject: `${kind}/${value}`, version: 1, data, parties: [] }
}

const jobEvents = declareEvents(
  { [jobRequested]: 'An immediate run of a job was requested.' },
  record({ name: text, requestedAt: instant }),
)

export function startRequestedEvent(name: string, requestedAt: Date, version: number): DomainEvent {
  const subject = `job/${name}`
  const type: keyof typeof jobEvents = jobRequested
  return { type, subject, version, data: { name, requestedAt }, parties: [] }
}

/** The events contain neither the secret nor its hash. */
const clientEvents = declareEvents(
  {
    'operations.oauth-client.registered': 'An OAuth client was registered.',
    'operations.oauth-client.changed': 'The label or the rights of an OAuth client changed.',
    'operations.oauth-client.proposed':
      'Rights of an OAuth client were proposed and await approval by a second person.',
    'operations.oauth-client.approved':
      'The proposed rights of an OAuth client were approved by a second person.',
    'operations.oauth-client.rejected': 'The proposed rights of an OAuth client were rejected.',
    'operations.oauth-client.secret-rotated': 'The secret of an OAuth client was rotated.',
    'operations.oauth-client.disabled': 'An OAuth client was disabled and its tokens were revoked.',
    'operations.oauth-client.keys-replaced':
      'The public keys of an OAuth client were replaced and its tokens were revoked.',
    'operations.oauth-client.enabled': 'A disabled OAuth client was enabled.',
  },
  record({
    clientId: id,
    label: text,
    scopes: listOf(text),
    owner: text,
    actsFor: listOf(text),
    isDisabled: boolean,
  }),
)
export type ClientEvent = keyof typeof clientEvents
