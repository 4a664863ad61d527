import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareRecordEvents, type EventTypeOf } from '../../kernel/events/record-data.ts'
import { Employee, employeeStates } from './model/employee.ts'

export const employeeEvents = declareRecordEvents('employee', Employee, {
  'staff.employee.hired': 'An employee was hired and waits for approval.',
  'staff.employee.roles-proposed': 'A change of the roles of an employee was proposed.',
  'staff.employee.roles-removed': 'Roles of an employee were removed.',
  'staff.employee.roles-approved': 'A second person approved the roles of an employee.',
  'staff.employee.roles-rejected': 'The proposed roles of an employee were rejected.',
  'staff.employee.log-in-code-requested':
    'A one-time code was requested, with which an employee sets a password.',
  'staff.employee.log-in-code-issued': 'A second person got the requested one-time code.',
  ...eventsOf(employeeStates),
})
export type EmployeeEvent = EventTypeOf<typeof employeeEvents>
