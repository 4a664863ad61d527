import { addMs, minuteMs } from '../../../kernel/domain/dates.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { changeState } from '../../../kernel/domain/state-machine.ts'
import {
  employeeStates,
  StaffRole,
  type Employee,
  type HireEmployeeInput,
} from '../model/employee.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { scopesOf } from './roles.ts'

const usernamePattern = /^[a-z][a-z0-9._-]{1,63}$/

/** Who proposes a change, and when. */
interface Proposer {
  subject: string
  now: Date
}

/**
 * Creates a pending employee, whose roles take effect when a second person approves them. Throws
 * VALIDATION_FAILED for an invalid username or no roles.
 */
export function newEmployee(
  { username, name, roles }: HireEmployeeInput,
  proposer: Proposer,
  stamp: Versioned & { employeeId: string },
): Employee {
  if (!usernamePattern.test(username)) {
    const detail =
      'A username has 2 to 64 lowercase letters, digits, dots, hyphens and underscores, and ' +
      'starts with a letter.'
    throw invalid('/username', detail)
  }
  return {
    ...stamp,
    username,
    name,
    status: 'pending',
    statusReason: null,
    roles: [],
    ...noCode,
    ...proposalOf(roles, proposer),
  }
}

/**
 * Changes the roles of an active employee. Roles that are only removed are removed immediately. If
 * a role is added, the whole change is proposed. Throws STATE_CONFLICT if the employee is not
 * active, and VALIDATION_FAILED without roles.
 */
export function withRoles(
  employee: Employee,
  roles: readonly StaffRole[],
  proposer: Proposer,
): Employee {
  requireStatus(employee, ['active'])
  const proposal = proposalOf(roles, proposer)
  const isGain = roles.some((role) => !employee.roles.includes(role))
  if (isGain) return { ...employee, ...proposal }
  return { ...employee, roles: proposal.proposedRoles, ...noProposal }
}

/**
 * Puts the proposed roles of an employee into effect. Throws STATE_CONFLICT if there are none, or
 * if the employee is suspended or has left.
 */
export function withApprovedRoles(employee: Employee): Employee {
  requireProposal(employee)
  requireStatus(employee, ['pending', 'active'])
  return { ...employee, status: 'active', roles: employee.proposedRoles, ...noProposal }
}

/**
 * Discards the proposed roles of an employee. A pending employee, who has no other roles, leaves.
 * Throws STATE_CONFLICT if there are none.
 */
export function withoutProposal(employee: Employee): Employee {
  requireProposal(employee)
  const rejected = { ...employee, ...noProposal }
  return employee.status === 'pending'
    ? changeState(employeeStates, 'dismissEmployee', rejected)
    : rejected
}

/** Removes the roles of an employee who is suspended or leaves, so that they grant nothing. */
export const withoutRoles = (employee: Employee): Employee => ({
  ...employee,
  roles: [],
  ...noProposal,
  ...noCode,
})

/** How long a one-time code is valid: long enough to hand it over in person. */
const codeHours = 72

/**
 * Requests a one-time code for an employee. Throws STATE_CONFLICT if the employee is not active.
 */
export function withCodeRequest(employee: Employee, logInCodeRequestedBy: string): Employee {
  requireStatus(employee, ['active'])
  return { ...employee, logInCodeRequestedBy }
}

/**
 * Gives an employee the requested one-time code, which replaces an earlier one. Throws
 * STATE_CONFLICT if the employee is not active, or if no code is requested.
 */
export function withLogInCode(employee: Employee, logInCodeHash: string, now: Date): Employee {
  requireStatus(employee, ['active'])
  if (employee.logInCodeRequestedBy === null) {
    const detail = `No one-time code is requested for ${employee.employeeId}.`
    throw new Problem('STATE_CONFLICT', { detail, resourceId: employee.employeeId })
  }
  const logInCodeExpiresAt = addMs(now, codeHours * 60 * minuteMs)
  return { ...employee, logInCodeRequestedBy: null, logInCodeHash, logInCodeExpiresAt }
}

/** Whether an employee lost scopes by a change, so that issued tokens must be revoked. */
export function hasLostScopes(before: Employee, after: Employee): boolean {
  const remaining = new Set(scopesOf(after.roles))
  return scopesOf(before.roles).some((scope) => !remaining.has(scope))
}

/** Returns the fact that the authorization server reads. Without scopes, the employee cannot log in. */
export function factOf({ employeeId, status, roles, ...employee }: Employee) {
  const { logInCodeHash, logInCodeExpiresAt } = employee
  const isActive = status === 'active'
  return { employeeId, isActive, roles, scopes: scopesOf(roles), logInCodeHash, logInCodeExpiresAt }
}

const noCode = { logInCodeRequestedBy: null, logInCodeHash: null, logInCodeExpiresAt: null }
const noProposal = { proposedRoles: [], proposedBy: null, proposedAt: null }

/** Returns the properties of a proposal. Throws VALIDATION_FAILED without roles. */
export function proposalOf(roles: readonly StaffRole[], { subject, now }: Proposer) {
  if (roles.length === 0) throw invalid('/roles', 'An employee needs at least one role.')
  const proposedRoles = StaffRole.values.filter((role) => roles.includes(role))
  return { proposedRoles, proposedBy: subject, proposedAt: now }
}

function requireProposal({ employeeId, proposedBy }: Employee): void {
  if (proposedBy !== null) return
  const detail = `No change of the roles of ${employeeId} is proposed.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: employeeId })
}

function requireStatus(
  { employeeId, status }: Employee,
  allowedStates: readonly Employee['status'][],
): void {
  if (allowedStates.includes(status)) return
  throw new Problem('STATE_CONFLICT', {
    detail: `${employeeId} is ${status}; this is possible only while ${allowedStates.join(' or ')}.`,
    resourceId: employeeId,
    currentState: status,
    allowedStates,
  })
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer, code: 'VALIDATION_FAILED', detail }],
  })
}
