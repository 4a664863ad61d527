import { declareEvents, type Told } from '../_kernel/events.ts'
import { clockAdvanceStatuses, type ClockAdvance } from './domain/clock-advance.ts'
import {
  day,
  flag,
  id,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  whole,
} from '../_kernel/event-data.ts'
import { jobAsked } from '../_kernel/jobs.ts'
import { revocationKinds, type Revocation } from '../_kernel/revocations.ts'

const moveData = record({ from: instant, to: instant, aheadMs: whole })

export const clockEvents = declareEvents(
  {
    'operations.clock.advanced': 'The clock of the sandbox was moved forward.',
  },
  moveData,
)

/** The data of the event about a move of the clock. */
export interface ClockMove {
  from: Date
  to: Date
  aheadMs: number
  version: number
}

export function tellAdvanced({ from, to, aheadMs, version }: ClockMove): Told {
  const type: keyof typeof clockEvents = 'operations.clock.advanced'
  return { type, subject: 'clock/sandbox', version, data: { from, to, aheadMs }, parties: [] }
}

const advanceData = record({
  clockAdvanceId: id,
  from: instant,
  to: instant,
  status: oneOf(clockAdvanceStatuses),
  closedThrough: orNull(day),
  failures: listOf(
    record({
      job: text,
      facilityId: orNull(id),
      businessDate: orNull(day),
      code: text,
      detail: text,
    }),
  ),
})

declareEvents(
  {
    'operations.clock-advance.completed':
      'The bank has done everything that fell due until the time the clock was moved to.',
    'operations.clock-advance.failed':
      'Something that fell due until the time the clock was moved to failed; it is tried again.',
  },
  advanceData,
)

/** The event of an advance that completed or failed. */
export function publishAdvance(advance: ClockAdvance): Told {
  const { clockAdvanceId, fromAt, toAt, status, closedThrough, failures, version } = advance
  const data = { clockAdvanceId, from: fromAt, to: toAt, status, closedThrough, failures }
  const type = `operations.clock-advance.${status as 'completed' | 'failed'}` as const
  return { type, subject: `clock-advance/${clockAdvanceId}`, version, data, parties: [] }
}

export const tokenEvents = declareEvents(
  { 'operations.tokens.revoked': 'Tokens were revoked before their expiry.' },
  record({ kind: oneOf(revocationKinds), value: text, issuedUntil: instant }),
)

export function tellRevoked({ kind, value, issuedUntil }: Revocation): Told {
  const type: keyof typeof tokenEvents = 'operations.tokens.revoked'
  const data = { kind, value, issuedUntil }
  return { type, subject: `${kind}/${value}`, version: 1, data, parties: [] }
}

const jobEvents = declareEvents(
  { [jobAsked]: 'An immediate run of a job was requested.' },
  record({ name: text, askedAt: instant }),
)

export function tellAsked(name: string, askedAt: Date, version: number): Told {
  const subject = `job/${name}`
  const type: keyof typeof jobEvents = jobAsked
  return { type, subject, version, data: { name, askedAt }, parties: [] }
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
    'operations.oauth-client.enabled': 'A disabled OAuth client was enabled.',
  },
  record({
    clientId: id,
    label: text,
    scopes: listOf(text),
    owner: text,
    actsFor: listOf(text),
    isDisabled: flag,
  }),
)
export type ClientEvent = keyof typeof clientEvents
