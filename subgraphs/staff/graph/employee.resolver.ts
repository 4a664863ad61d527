import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { reviewedProposal } from '../../../kernel/authorization/reviewed-proposal.ts'
import { id, list, object, oneOf } from '../../../kernel/domain/model.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import { transitionsOf, type Decide } from '../../../kernel/graph/transitions.ts'
import {
  approveRoles,
  change,
  changeRoles,
  hireEmployee,
  issueCode,
  openCode,
  rejectRoles,
  requestCode,
  type IssuedCode,
} from '../commands/employee.ts'
import { proposalOf, withoutRoles } from '../domain/employee.ts'
import {
  Employee,
  EmployeeLogInCode,
  employeeStates,
  EmployeeStatus,
  HireEmployeeInput,
  StaffRole,
} from '../model/employee.ts'
import { employees, listEmployees } from '../store/employee.ts'

const employeeKey = { employeeId: id('The ID of the employee.') }

/** An employee who is suspended or leaves keeps no roles. */
const loseRoles: Decide<Employee> = (employee) => withoutRoles(employee)

export const EmployeeOperations = resolverOf({
  queries: {
    employee: lookup(Employee, {
      description: 'Returns an employee.',
      scope: 'staff:read',
      isForBankOnly: true,
      find: employees.load,
    }),
    employees: listing(Employee, {
      description: 'Returns employees in the order in which they were hired.',
      scope: 'staff:read',
      isForBankOnly: true,
      filters: {
        status: oneOf(EmployeeStatus, 'Returns only employees with this status.').orNull(),
        role: oneOf(StaffRole, 'Returns only employees with this role.').orNull(),
      },
      list: listEmployees,
      sortKey: employees.sortKey,
    }),
  },
  mutations: {
    hireEmployee: operation({
      description:
        'Hires an employee, who can log in when a second person has approved the roles with ' +
        '`approveEmployee`.',
      scope: 'staff:manage',
      needsPerson: true,
      isForBankOnly: true,
      returns: Employee,
      args: { input: object(HireEmployeeInput, 'The employee to hire.') },
      resolve: (context, { input }) => hireEmployee(context, input),
    }),
    changeEmployeeRoles: operation({
      description:
        'Changes the roles of an active employee. Roles that are only removed are removed ' +
        'immediately. If a role is added, the whole change takes effect when a second person ' +
        'approves it with `approveEmployee`.',
      scope: 'staff:manage',
      needsPerson: true,
      isForBankOnly: true,
      returns: Employee,
      args: {
        ...employeeKey,
        roles: list(oneOf(StaffRole), 'All roles after the change. At least one is required.'),
      },
      resolve: (context, input) => changeRoles(context, input),
    }),
    approveEmployee: operation({
      description:
        'Approves the proposed roles of an employee. Neither the person who proposed them nor ' +
        'the employee can approve them.',
      scope: 'staff:approve',
      needsPerson: true,
      isForBankOnly: true,
      returns: Employee,
      args: { ...employeeKey, ...reviewedProposal },
      resolve: (context, input) => approveRoles(context, input),
    }),
    rejectEmployee: operation({
      description: 'Rejects the proposed roles of an employee. A pending employee leaves.',
      scope: 'staff:approve',
      needsPerson: true,
      isForBankOnly: true,
      returns: Employee,
      args: employeeKey,
      resolve: (context, { employeeId }) => rejectRoles(context, employeeId),
    }),
    requestEmployeeLogInCode: operation({
      description:
        'Requests a one-time code with which an active employee sets a password. A second person ' +
        'issues it with `issueEmployeeLogInCode`.',
      scope: 'staff:manage',
      needsPerson: true,
      isForBankOnly: true,
      returns: Employee,
      args: employeeKey,
      resolve: (context, { employeeId }) => requestCode(context, employeeId),
    }),
    issueEmployeeLogInCode: operation({
      description:
        'Issues the requested one-time code with which an employee sets a password at ' +
        '`/oauth/password`. Neither the person who requested it nor the employee can issue it. ' +
        'The code replaces an earlier one, is valid for 72 hours, and is returned only once. ' +
        'Hand it over in person.',
      scope: 'staff:approve',
      needsPerson: true,
      isForBankOnly: true,
      returns: EmployeeLogInCode,
      args: employeeKey,
      resolve: (context, { employeeId }) => issueCode(context, employeeId),
    }),
    ...transitionsOf(employeeStates, change, {
      suspendEmployee: loseRoles,
      dismissEmployee: loseRoles,
      reinstateEmployee: (employee, request) => ({
        ...employee,
        ...proposalOf(employee.proposedRoles, request),
      }),
    }),
  },
})

@Resolver(() => EmployeeLogInCode)
export class EmployeeLogInCodeResolver {
  @FieldResolver(() => String, { description: 'The code.' })
  code(@Root() issued: IssuedCode, @Ctx() context: Context): string {
    return openCode(context, issued)
  }

  @FieldResolver(() => DateTimeScalar, { description: 'When the code expires, in UTC.' })
  expiresAt(@Root() { employee }: IssuedCode): Date {
    return employee.logInCodeExpiresAt!
  }
}
