import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { employeeEvents, type EmployeeEvent } from '../events.ts'
import type { Employee } from '../model/employee.ts'

export const employees = tableOf<Employee>('staff.employee', 'employeeId', ({ db }) => db.employee)

export const employeeKind: RecordKind<Employee, EmployeeEvent> = {
  ...employees,
  ...employeeEvents,
  id: 'employee',
  notFound: 'EMPLOYEE_NOT_FOUND',
  created: 'staff.employee.hired',
  ownersOf: () => [],
  isPublished: false,
}

/** Lists employees in the order in which they were hired. A filter that is null does not apply. */
export function listEmployees(
  context: Context,
  { status, role }: { status: Employee['status'] | null; role: string | null },
  after: string[] | null,
  take: number,
): Promise<Employee[]> {
  const where = { status, roles: role === null ? null : { has: role } }
  return employees.list(context, where, after, take)
}
