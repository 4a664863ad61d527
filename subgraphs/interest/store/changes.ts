import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'

/** The types of events that begin or end the interest of an account. */
export const accountEvents = [
  'accounts.arrangement.opened',
  'accounts.arrangement.rejected',
  'accounts.arrangement.cancelled',
  'accounts.arrangement.closure-requested',
  'accounts.arrangement.closure-cancelled',
  'accounts.arrangement.closed',
]

/** The types of events after which a product may pay interest on existing accounts. */
export const productEvents = ['products.product.created', 'products.product.version-activated']

const changesSql =
  "select distinct split_part(subject, '/', 1) as entity, " +
  "substr(subject, strpos(subject, '/') + 1) as id from kernel.event " +
  'where position > $1 and position <= $2 and type = any($3)'

/**
 * Reads the IDs of the accounts and products with such an event after position `from` of the event
 * log, up to and including position `to`.
 */
export async function readChangedIds(bank: Bank, from: bigint, to: bigint) {
  const values = [from.toString(), to.toString(), [...accountEvents, ...productEvents]]
  const rows = await readRows<{ entity: string; id: string }>(bank, changesSql, values)
  const idsOf = (entity: string) => rows.flatMap((row) => (row.entity === entity ? row.id : []))
  return { arrangementIds: idsOf('arrangement'), productIds: idsOf('product') }
}

const overdrawnSql =
  "select distinct substr(subject, strpos(subject, '/') + 1) as id from kernel.event " +
  "where position > $1 and position <= $2 and type = 'accounts.balance.changed' " +
  "and starts_with(data ->> 'committed', '-')"

/** Reads the IDs of the accounts that such an event between two positions of the log says are overdrawn. */
export async function readOverdrawnIds(bank: Bank, from: bigint, to: bigint): Promise<string[]> {
  const values = [from.toString(), to.toString()]
  return (await readRows<{ id: string }>(bank, overdrawnSql, values)).map(({ id }) => id)
}
