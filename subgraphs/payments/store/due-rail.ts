import { isAnyDueSql } from '../../../kernel/database/heartbeat.ts'

/**
 * Returns the SQL condition that accepted payments of a rail are past their cut-off, or that the next
 * transition of a batch or the return of a payment is due. The name of the rail must be a constant.
 */
export function isRailDueSql(rail: string): string {
  const isDue = (table: string, column: string, state = '') =>
    isAnyDueSql(table, column, `rail = '${rail}' and ${column} <= $1${state}`)
  return [
    isDue('payments.payment', 'cut_off_at', " and state = 'accepted'"),
    isDue('payments.rail_batch', 'due_at'),
    isDue('payments.payment', 'due_at', " and state = 'settled'"),
  ].join(' or ')
}
