import type { Logger } from 'pino'
import type { Database } from '../database/db.ts'
import type { PipelinedReads } from '../database/pipelined-connection.ts'
import { statementName } from '../database/statement-name.ts'

/**
 * A table with a row-level security policy. The policy has the name of the table's Prisma model.
 */
interface SecuredTable {
  /**
   * The query that returns those IDs of a list that a party may not see. It returns none, unless
   * the application's own check is wrong.
   */
  hiddenSql: string
  /** The property of a record that holds the primary key. */
  key: string
}

const roleMembershipSql =
  "select pg_has_role(oid, 'member') as is_member from pg_roles where rolname = 'bankgraph_party'"
const securedSql = `
  select p.policyname as model, a.attname as key
  from pg_policies p
  join pg_namespace n on n.nspname = p.schemaname
  join pg_class c on c.relname = p.tablename and c.relnamespace = n.oid
  join pg_index i on i.indrelid = c.oid and i.indisprimary
  join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where 'bankgraph_party' = any(p.roles)`

/**
 * A second check of read permissions, with the row-level security policies of the database. It runs
 * after a read of the application and removes the rows that the party may not see. Reads and
 * commits of the bank itself are not affected.
 */
export class RowSecurity {
  readonly #secured: ReadonlyMap<string, SecuredTable>
  readonly #reads: PipelinedReads

  private constructor(secured: ReadonlyMap<string, SecuredTable>, reads: PipelinedReads) {
    this.#secured = secured
    this.#reads = reads
  }

  /**
   * Reads which tables have policies. Returns null and logs a warning if the database user is not a
   * member of the role `bankgraph_party`, or if no table has a policy.
   */
  static async open({ pool, reads }: Database, log: Logger): Promise<RowSecurity | null> {
    const { rows: roles } = await pool.query<{ is_member: boolean }>(roleMembershipSql)
    const { rows } = await pool.query<{ model: string; key: string }>(securedSql)
    if (!roles[0]?.is_member || rows.length === 0) {
      log.warn(
        'row-level security is off: the database user is not a member of the role bankgraph_party',
      )
      return null
    }
    const secured = rows.map(({ model, key }): [string, SecuredTable] => [
      model,
      {
        hiddenSql: `select * from kernel."hidden_${model}"($1, $2) as id`,
        key: key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      },
    ])
    return new RowSecurity(new Map(secured), reads)
  }

  /** Returns the same check, which reads from another copy of the database. */
  on(reads: PipelinedReads): RowSecurity {
    return new RowSecurity(this.#secured, reads)
  }

  isSecured(model: string): boolean {
    return this.#secured.has(model)
  }

  /** Returns the rows that the party may see; all rows if the table has no policy. */
  async keepVisible<Row extends object>(
    partyId: string,
    model: string,
    rows: Row[],
  ): Promise<Row[]> {
    const secured = this.#secured.get(model)
    if (!secured || rows.length === 0) return rows
    const { hiddenSql: text, key } = secured
    const ids = rows.map((row) => keyIn(row, key, model))
    const values = [partyId, ids]
    const result = await this.#reads.query<{ id: string }>({
      name: statementName(text),
      text,
      values,
    })
    if (result.rows.length === 0) return rows
    const hiddenIds = new Set<unknown>(result.rows.map(({ id }) => id))
    return rows.filter((_, index) => !hiddenIds.has(ids[index]))
  }
}

function keyIn(row: object, key: string, model: string): unknown {
  if (key in row) return (row as Record<string, unknown>)[key]
  throw new Error(`A query of ${model} on behalf of a party must select ${key}.`)
}
