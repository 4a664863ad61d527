import { readable } from '../../parts/format.ts'
import type { StaffRole } from './queries.generated.ts'

/** The roles that an employee can have, with what each is for. */
const roles = {
  TELLER: 'Serves customers at the counter',
  LOAN_OFFICER: 'Decides on credit',
  APPROVER: 'Gives second approvals',
  CONTACT_CENTER_AGENT: 'Answers customers, works on cases',
  COMPLIANCE: 'Checks identities, blocks accounts',
  OPERATIONS: 'Runs jobs, maintains products',
  ACCOUNTANT: 'Keeps the general ledger',
  AUDITOR: 'Reads everything, changes nothing',
  ADMINISTRATOR: 'Manages employees and programs',
} satisfies Record<StaffRole, string>

export const rolePurposes = Object.entries(roles)

export const namesOf = (values: readonly StaffRole[]): string => values.map(readable).join(', ')
