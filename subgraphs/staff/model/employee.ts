import {
  entity,
  enumeration,
  id,
  input,
  instant,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'

export const StaffRole = enumeration(
  'StaffRole',
  'A role of employees. It determines the scopes of their access tokens.',
  {
    teller: 'Serves customers at the counter: opens accounts and makes payments for them.',
    'loan-officer': 'Handles loan applications and loans, and decides on credit.',
    approver: 'Gives the second approval that a decision of another person needs.',
    'contact-center-agent': 'Answers customers, and works on their cases.',
    compliance: 'Checks the identity of customers, and blocks accounts.',
    operations: 'Runs jobs and fee runs, and maintains products, prices and routing.',
    accountant: 'Keeps the general ledger: closes periods and makes journal entries.',
    auditor: 'Reads everything and changes nothing.',
    administrator: 'Manages employees and OAuth clients.',
  },
)
export type StaffRole = TypeOf<typeof StaffRole>

export const EmployeeStatus = enumeration(
  'EmployeeStatus',
  'Whether an employee may use the systems of the bank.',
  {
    pending: 'The employee waits for the approval of a second person and cannot log in.',
    active: 'The employee can log in.',
    suspended: 'The employee cannot log in until reinstated and approved.',
    left: 'The employee no longer works at the bank. This status is final.',
  },
)
export type EmployeeStatus = TypeOf<typeof EmployeeStatus>

export const Employee = entity(
  'Employee',
  'employeeId',
  'A person who works at the bank, with the roles that determine what the person may do.',
  {
    employeeId: id('The ID of the employee, such as `emp_…`.').inEvents(),
    username: string(
      'The name with which the employee logs in, in lowercase. It is the subject of access ' +
        'tokens, and names the employee in the audit trail and in decisions.',
    ).inEvents(),
    name: string('The full name of the employee.'),
    status: oneOf(
      EmployeeStatus,
      'Whether the employee may use the systems of the bank.',
    ).inEvents(),
    statusReason: string(
      'Why the employee was suspended or left; null if no reason was given, and after the ' +
        'employee was reinstated.',
    ).orNull(),
    roles: list(
      oneOf(StaffRole),
      'The roles in effect; empty unless the employee is active.',
    ).inEvents(),
    proposedRoles: list(
      oneOf(StaffRole),
      'The roles that replace the current ones when a second person approves them; empty if no ' +
        'change is proposed.',
    ).inEvents(),
    proposedBy: string(
      'Who proposed the change, as an access token subject; null if no change is proposed.',
    )
      .orNull()
      .inEvents(),
    proposedAt: instant('When the change was proposed; null if no change is proposed.').orNull(),
    createdAt: instant('When the employee was hired.'),
    updatedAt: instant('When the employee was last changed.'),
    logInCodeRequestedBy: string(
      'Who requested a one-time code that has not been issued yet, as an access token subject; ' +
        'null if none is requested.',
    ).orNull(),
    logInCodeHash: stored<string | null>(),
    logInCodeExpiresAt: stored<Date | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Employee = TypeOf<typeof Employee>

/** The four-eyes rule: every gain of rights passes through a proposal that a second person approves. */
export const employeeStates = stateMachine(
  Employee,
  'status',
  {
    suspendEmployee: {
      description: 'Suspends an employee immediately, and revokes the access tokens.',
      scope: 'staff:manage',
      from: ['active'],
      to: 'suspended',
      event: ['staff.employee.suspended', 'An employee was suspended.'],
      args: {
        statusReason: text('Why the employee is suspended.').named('reason'),
      },
    },
    reinstateEmployee: {
      description:
        'Proposes the end of a suspension. A second person must approve it with ' +
        '`approveEmployee`.',
      scope: 'staff:manage',
      needsPerson: true,
      from: ['suspended'],
      to: 'pending',
      event: ['staff.employee.reinstated', 'The end of a suspension was proposed.'],
      args: {
        proposedRoles: list(
          oneOf(StaffRole),
          'The roles after the suspension. At least one is required.',
        ).named('roles'),
      },
      set: ({ now, subject }) => ({ statusReason: null, proposedBy: subject, proposedAt: now }),
    },
    dismissEmployee: {
      description:
        'Ends the work of an employee at the bank immediately, and revokes the access tokens.',
      scope: 'staff:manage',
      needsPerson: true,
      from: ['pending', 'active', 'suspended'],
      to: 'left',
      event: ['staff.employee.left', 'An employee left the bank.'],
      args: {
        statusReason: text('Why the employee leaves.').orNull().named('reason'),
      },
    },
  },
  { pending: ['active'] },
)

export const EmployeeLogInCode = shape(
  'EmployeeLogInCode',
  'A one-time code with which an employee sets a password at `/oauth/password`.',
  {
    employee: object(Employee, 'The employee.'),
  },
)

export const HireEmployeeInput = input('HireEmployeeInput', 'A new employee.', {
  employeeId: id('The ID of the employee, chosen by the client. Generated if omitted.').orNull(),
  username: label(
    'The name with which the employee will log in: 2 to 64 lowercase letters, digits, dots, ' +
      'hyphens and underscores, starting with a letter. It must not be the name of a client or ' +
      'of another person.',
  ),
  name: label('The full name of the employee.'),
  roles: list(oneOf(StaffRole), 'The roles of the employee. At least one is required.'),
})
export type HireEmployeeInput = TypeOf<typeof HireEmployeeInput>
