import { createHmac } from 'node:crypto'
import type { EnvironmentName } from '../kernel/environment/config.ts'
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
  aron: 'auditor',
  adam: 'administrator',
}

/**
 * Returns the employees of the sandbox. Their passwords are derived from a secret of the
 * installation, so that they also exist in installations that are older than the employees.
 */
export function sandboxStaff(cookieKey: string): StaffLogin[] {
  return Object.entries(roleByUsername).map(([username, role]) => ({
    personId: `emp_${username}`,
    username,
    password: createHmac('sha256', cookieKey)
      .update(`password of ${username}`)
      .digest('base64url')
      .slice(0, 16),
    roles: [role],
  }))
}

/**
 * Returns the people as whom anybody may log in without a password: those of a sandbox that only this
 * machine can reach, at the address `host` and at the origin that clients use.
 */
export function offeredPeople(
  environment: EnvironmentName,
  addresses: { host: string; origin: string },
  { cookieKey, parties = [] }: { cookieKey: string; parties?: readonly { username: string }[] },
): OfferedPerson[] {
  const isLocal = [addresses.host, new URL(addresses.origin).hostname].every((name) =>
    ['127.0.0.1', 'localhost'].includes(name),
  )
  if (environment !== 'sandbox' || !isLocal) return []
  const nameOf = (username: string) => username.charAt(0).toUpperCase() + username.slice(1)
  const customers = parties.map(({ username }) => ({
    username,
    label: `${nameOf(username)}, customer`,
    isEmployee: false,
  }))
  const employees = sandboxStaff(cookieKey).map(({ username, roles }) => ({
    username,
    label: `${nameOf(username)}, ${roles.join(', ').replaceAll('-', ' ')}`,
    isEmployee: true,
  }))
  return [...customers, ...employees]
}
