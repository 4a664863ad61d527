import type { Bank } from '../../../kernel/environment/bank.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'

export const alertEvent = 'operations.log-in.failed-repeatedly'

/** An event that reports a series of failed login attempts with one user name. */
export interface LogInAlert {
  eventId: string
  time: Date
  failures: number
  /** The party with this user name; empty if there is none. */
  parties: string[]
}

const alertsSql =
  'select event_id as "eventId", time, (data ->> \'failures\')::int as failures, parties from kernel.event ' +
  'where position > $1 and position <= $2 and type = $3 order by position'

/**
 * Reads the alerts after position `from` of the event log, up to and including position `to`, in
 * log order.
 */
export function readAlerts(bank: Bank, from: bigint, to: bigint): Promise<LogInAlert[]> {
  return readRows<LogInAlert>(bank, alertsSql, [from.toString(), to.toString(), alertEvent])
}
