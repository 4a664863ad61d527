import { isAnyDueSql } from '../../../kernel/database/heartbeat.ts'

/**
 * Returns the SQL condition that accepted payments of a rail are past their cut-off, or that the next
 * transition of a batch or the return of a payment is due. The name of the rail must be a constant.
 * The returns of all rails count, and only a payment with a return has `due_at`: if few payments met a
 * further condition, PostgreSQL would not keep the plan of the heartbeat but plan it anew each second.
 */
export function isRailDueSql(rail: string): string {
  const ofRail = `rail = '${rail}'`
  const isDue = (table: string, column: string, condition: string) =>
    isAnyDueSql(table, column, `${condition} and ${column} <= $1`)
  return [
    isDue('payments.payment', 'cut_off_at', `${ofRail} and state = 'accepted'`),
    isDue('payments.rail_batch', 'due_at', ofRail),
    isAnyDueSql('payments.payment', 'due_at', 'due_at <= $1'),
  ].join(' or ')
}
