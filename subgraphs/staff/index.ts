import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Context } from '../../kernel/environment/context.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { EmployeeLogInCodeResolver, EmployeeOperations } from './graph/employee.resolver.ts'
import { employees } from './store/employee.ts'

/** The subgraph of the people who work at the bank. */
export const staff: Subgraph = {
  name: 'staff',
  resolvers: [EmployeeOperations, EmployeeLogInCodeResolver],
  types: [],
  references: {
    Employee({ employeeId }: { employeeId: string }, context: Context) {
      requireScope(context.caller, 'staff:read')
      return context.caller.partyId === null ? employees.load(context, employeeId) : null
    },
  },
  workers: [],
}
