import { createHmac } from 'node:crypto'

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
