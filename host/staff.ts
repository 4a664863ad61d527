import { createHmac } from 'node:crypto'
import type { OfferedPerson } from '../oauth/pages.ts'

/** An employee of the sandbox who can log in. */
export interface StaffLogin {
  personId: string
  username: string
  password: string
  roles: readonly string[]
}

/** One employee for each role. The fixtures of the sandbox hire them. */
const roleByUsername = {
  tina: 'teller',
  liam: 'loan-officer',
  anna: 'approver',
  carl: 'contact-center-agent',
  cora: 'compliance',
  omar: 'operations',
  nora: 'accountant',
  aron: 'auditor',
  adam: 'administrator',
}

/**
 * Returns the employees of the sandbox. Their passwords are derived from a secret of the
 * installation, so that they also exist in installations that are older than the employees.
 */
export function sandboxStaff(secret: string): StaffLogin[] {
  return Object.entries(roleByUsername).map(([username, role]) => ({
    personId: `emp_${username}`,
    username,
    password: createHmac('sha256', secret)
      .update(`password of ${username}`)
      .digest('base64url')
      .slice(0, 16),
    roles: [role],
  }))
}

/**
 * Returns the people of a sandbox that only this machine can reach, as whom anybody may log in without
 * a password.
 */
export function offeredPeople(
  secret: string,
  parties: readonly { username: string }[] = [],
): OfferedPerson[] {
  const nameOf = (username: string) => username.charAt(0).toUpperCase() + username.slice(1)
  const customers = parties.map(({ username }) => ({
    username,
    label: `${nameOf(username)}, customer`,
    isEmployee: false,
  }))
  const employees = sandboxStaff(secret).map(({ username, roles }) => ({
    username,
    label: `${nameOf(username)}, ${roles.join(', ').replaceAll('-', ' ')}`,
    isEmployee: true,
  }))
  return [...customers, ...employees]
}
