import { createHash, randomBytes } from 'node:crypto'
import { bankCaller, requireVisible } from '../../../kernel/authorization/auth.ts'
import {
  isNameTaken,
  employeeSubject,
  personSubject,
  requireAnotherPerson,
} from '../../../kernel/authorization/principals.ts'
import { requireReviewed } from '../../../kernel/authorization/reviewed-proposal.ts'
import { insertRevocation, revocation } from '../../../kernel/authorization/revocations.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import { revokeAgain } from '../../../kernel/authorization/revoke-again.ts'
import { command } from '../../../kernel/writing/command.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import {
  factOf,
  hasLostScopes,
  newEmployee,
  withApprovedRoles,
  withCodeRequest,
  withLogInCode,
  withoutProposal,
  withRoles,
} from '../domain/employee.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { employeeEvents, type EmployeeEvent } from '../events.ts'
import type { Employee, HireEmployeeInput, StaffRole } from '../model/employee.ts'
import { employeeKind } from '../store/employee.ts'

/**
 * Hires an employee, who can log in when a second person has approved the roles. Throws
 * RESOURCE_EXISTS, NAME_TAKEN if a client, a person or a party has the username, and whatever
 * `newEmployee` throws.
 */
export function hireEmployee(context: Context, input: HireEmployeeInput): Promise<Employee> {
  const { employeeId, username } = input
  return createRecord(context, employeeKind, 'hireEmployee', input, employeeId, async (stamp) => {
    const proposed = newEmployee(input, proposerOf(context), {
      ...versioned(stamp),
      employeeId: stamp.id,
    })
    await requireUnusedName(context, username)
    // The fixtures of the sandbox are part of the program and are reviewed with its code.
    const record = context.caller === bankCaller ? withApprovedRoles(proposed) : proposed
    return { record, facts: factsOf(record) }
  })
}

/**
 * Changes the roles of an employee. A gain is proposed; a mere loss takes effect immediately. Throws
 * EMPLOYEE_NOT_FOUND, and whatever `withRoles` throws.
 */
export function changeRoles(
  context: Context,
  input: { employeeId: string; roles: readonly StaffRole[] },
): Promise<Employee> {
  const { employeeId, roles } = input
  const decide = (before: Employee) => withRoles(before, roles, proposerOf(context))
  const eventOf = ({ proposedBy }: Employee): EmployeeEvent =>
    proposedBy === null ? 'staff.employee.roles-removed' : 'staff.employee.roles-proposed'
  return change(context, 'changeEmployeeRoles', input, employeeId, eventOf, decide)
}

/**
 * Approves the proposed roles of an employee: those that were proposed at `proposedAt`, or null for
 * whatever is proposed now. Throws EMPLOYEE_NOT_FOUND, SEGREGATION_OF_DUTIES if the caller proposed
 * them or is the employee, and whatever `withApprovedRoles` and `requireReviewed` throw.
 */
export function approveRoles(
  context: Context,
  { employeeId, proposedAt }: { employeeId: string; proposedAt: Date | null },
): Promise<Employee> {
  const event = 'staff.employee.roles-approved'
  const input = { employeeId, ...(proposedAt && { proposedAt }) }
  return change(context, 'approveEmployee', input, employeeId, event, async (before) => {
    const approved = withApprovedRoles(before)
    requireReviewed(before.proposedAt!, proposedAt, employeeId)
    const detail =
      'Neither the person who proposed the roles of an employee nor the employee can approve them.'
    const participants = [before.proposedBy, before.username]
    await requireAnotherPerson(context, participants, { resourceId: employeeId, detail })
    return approved
  })
}

/**
 * Rejects the proposed roles of an employee. A pending employee leaves. Throws EMPLOYEE_NOT_FOUND,
 * and whatever `withoutProposal` throws.
 */
export function rejectRoles(context: Context, employeeId: string): Promise<Employee> {
  const event = 'staff.employee.roles-rejected'
  return change(context, 'rejectEmployee', { employeeId }, employeeId, event, withoutProposal)
}

/** A one-time code with its employee. It is encrypted, because the response is stored. */
export interface IssuedCode {
  employee: Employee
  encrypted: string
}

const placeOf = ({ employeeId }: Employee) => `employee-log-in-code/${employeeId}`

/** Decrypts a one-time code for the response that contains it. */
export const openCode = ({ bank }: Context, { employee, encrypted }: IssuedCode): string =>
  bank.vault.decrypt(encrypted, placeOf(employee))

/**
 * Requests a one-time code for an employee, which a second person issues. Throws EMPLOYEE_NOT_FOUND,
 * and whatever `withCodeRequest` throws.
 */
export function requestCode(context: Context, employeeId: string): Promise<Employee> {
  const event = 'staff.employee.log-in-code-requested'
  const input = { employeeId }
  return change(context, 'requestEmployeeLogInCode', input, employeeId, event, (before) =>
    withCodeRequest(before, context.caller.subject),
  )
}

/**
 * Issues a requested one-time code with which an employee sets a password. It replaces an earlier
 * code. Throws EMPLOYEE_NOT_FOUND, SEGREGATION_OF_DUTIES if the caller requested it or is the
 * employee, and whatever `withLogInCode` throws.
 */
export function issueCode(context: Context, employeeId: string): Promise<IssuedCode> {
  const code = randomBytes(16).toString('base64url')
  const hash = createHash('sha256').update(code).digest('base64url')
  const event = 'staff.employee.log-in-code-issued'
  return command(context, 'issueEmployeeLogInCode', { employeeId }, async () => {
    const decide = async (before: Employee) => {
      // Log-ins use real time.
      const employee = withLogInCode(before, hash, realNow())
      const detail =
        'Neither the person who requested the code nor the employee can get it: with the code, ' +
        'one could log in as the other.'
      const participants = [before.logInCodeRequestedBy, before.username]
      await requireAnotherPerson(context, participants, { resourceId: employeeId, detail })
      return employee
    }
    const { before: _, employee, ...rest } = await decideChange(context, employeeId, event, decide)
    const encrypted = context.bank.vault.encrypt(code, placeOf(employee))
    return { ...rest, result: { employee, encrypted } }
  })
}

/**
 * Changes an employee, publishes the rights of the employee to the authorization server, and revokes
 * issued tokens if the employee loses rights. Throws EMPLOYEE_NOT_FOUND, and whatever `decide`
 * throws.
 */
export async function change(
  context: Context,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  employeeId: string,
  event: EmployeeEvent | ((after: Employee) => EmployeeEvent),
  decide: (before: Employee, now: Date) => Employee | Promise<Employee>,
): Promise<Employee> {
  let hasLostRights = false
  const after = await command(context, operation, input, async () => {
    const { before, employee, ...rest } = await decideChange(context, employeeId, event, decide)
    hasLostRights = hasLostScopes(before, employee)
    const writes = [...rest.writes, ...(hasLostRights ? [revokeTokens(employee)] : [])]
    return { ...rest, writes, result: employee }
  })
  if (hasLostRights && !context.outcome.isReplayed)
    await revokeAgain(context, 'subject', after.username)
  await context.bank.revocations.refresh()
  return after
}

/** Returns the employee before and after a change, and the commit of the change. */
async function decideChange(
  context: Context,
  employeeId: string,
  event: EmployeeEvent | ((after: Employee) => EmployeeEvent),
  decide: (before: Employee, now: Date) => Employee | Promise<Employee>,
) {
  const found = await employeeKind.find(context, employeeId)
  const { ownersOf, notFound } = employeeKind
  const before = requireVisible(context, found, ownersOf, notFound, employeeId)
  const now = context.now()
  const decided = await decide(before, now)
  const employee = { ...decided, version: before.version + 1, updatedAt: now }
  const type = typeof event === 'function' ? event(employee) : event
  return {
    before,
    employee,
    resourceId: employeeId,
    writes: [employeeKind.update(before, employee)],
    events: [employeeEvents.event(type, employee)],
    facts: factsOf(employee),
  }
}

const proposerOf = ({ caller, now }: Context) => ({ subject: caller.subject, now: now() })

const revokeTokens = ({ username }: Employee) => insertRevocation(revocation('subject', username))

/**
 * Returns the facts of an employee: the rights, which the authorization server reads, and the name,
 * which no client can take.
 */
function factsOf(employee: Employee) {
  const { username } = employee
  return [
    { subject: employeeSubject(username), data: factOf(employee) },
    { subject: personSubject(username), data: {} },
  ]
}

/** Checks that nobody has the name. Throws NAME_TAKEN. */
async function requireUnusedName(context: Context, username: string): Promise<void> {
  if (!(await isNameTaken(context, username))) return
  const detail = `${username} is already the name of a person, a party or a client.`
  throw new Problem('NAME_TAKEN', {
    detail,
    errors: [{ pointer: '/username', code: 'NAME_TAKEN', detail }],
  })
}
