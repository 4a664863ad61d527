import type { IdentityRecord, IdentityRecordKind } from '../../../kernel/domain/identity-record.ts'

/** The kind of record that is derived from each type of event. */
export const kindOfEvent: ReadonlyMap<string, IdentityRecordKind> = new Map([
  ['staff.employee.hired', 'employee-hiring'],
  ['staff.employee.roles-proposed', 'role-proposal'],
  ['staff.employee.roles-approved', 'role-approval'],
  ['staff.employee.roles-rejected', 'role-rejection'],
  ['staff.employee.roles-removed', 'role-removal'],
  ['staff.employee.log-in-code-requested', 'log-in-code-request'],
  ['staff.employee.log-in-code-issued', 'log-in-code-issuance'],
  ['staff.employee.suspended', 'employee-suspension'],
  ['staff.employee.reinstated', 'employee-reinstatement'],
  ['staff.employee.left', 'employee-departure'],
  ['operations.oauth-client.registered', 'client-registration'],
  ['operations.oauth-client.changed', 'client-change'],
  ['operations.oauth-client.proposed', 'client-rights-proposal'],
  ['operations.oauth-client.approved', 'client-rights-approval'],
  ['operations.oauth-client.rejected', 'client-rights-rejection'],
  ['operations.oauth-client.secret-rotated', 'client-secret-rotation'],
  ['operations.oauth-client.keys-replaced', 'client-secret-rotation'],
  ['operations.oauth-client.disabled', 'client-disabling'],
  ['operations.oauth-client.enabled', 'client-enabling'],
  ['operations.tokens.revoked', 'token-revocation'],
])

/** An event about employees, clients or tokens, from which a record is derived. */
export interface IdentityEvent {
  eventId: string
  type: string
  time: Date
  data: Readonly<Record<string, unknown>>
  correlationId: string
  actor: string
}

/** Whom and what an event concerns, by the fields of its data. */
type Concerned = Pick<IdentityRecord, 'person' | 'clientId' | 'grantId' | 'detail'>

/**
 * Derives the record of an event. `now` is the real time, which bounds the time of the record,
 * because the clock of the sandbox can be ahead of it. Throws an Error for a type without a kind.
 */
export function recordOfEvent(event: IdentityEvent, recordId: string, now: Date): IdentityRecord {
  const kind = kindOfEvent.get(event.type)
  if (!kind) throw new Error(`No record is derived from the event ${event.type}.`)
  const concerned = concernedBy(event.data)
  return {
    recordId,
    kind: concerned.grantId === null ? kind : 'grant-revocation',
    outcome: 'succeeded',
    ...concerned,
    partyId: null,
    actor: event.actor,
    address: null,
    userAgent: null,
    acr: null,
    count: 1,
    requestId: event.correlationId,
    eventId: event.eventId,
    at: event.time < now ? event.time : now,
  }
}

/** Reads the data of an event about an employee, an OAuth client or a revocation of tokens. */
function concernedBy(data: IdentityEvent['data']): Concerned {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : null)
  const [kind, value] = [text('kind'), text('value')]
  if (kind === null || value === null) {
    const listOf = (name: string) => (data[name] as readonly string[] | undefined) ?? []
    const roles = [...listOf('roles'), ...listOf('proposedRoles')]
    const detail = roles.length > 0 ? [...new Set(roles)].join(' ') : null
    return { person: text('username'), clientId: text('clientId'), grantId: null, detail }
  }
  const valueOf = (wanted: string) => (kind === wanted ? value : null)
  return {
    person: valueOf('subject'),
    clientId: valueOf('client'),
    grantId: valueOf('grant'),
    detail: kind === 'grant' ? null : `${kind} ${value}`,
  }
}
