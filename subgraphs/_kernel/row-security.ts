import type { Logger } from 'pino'
import type { Database } from './db.ts'
import type { PipelinedReads } from './pipelined-connection.ts'
import { statementName } from './statement-name.ts'

/** A table whose rows have owners the database knows of; its policy has the name of the model. */
interface Secured {
  /** Asks for the ids that a party may not see: none, while the first wall stands. */
  hiddenSql: string
  /** The member of a record that is the table's key. */
  key: string
}

const isPossibleSql =
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
 * The second wall: which rows of a table a party may not see, as the policies of the database say. It
 * is asked after the reads of the first, so that the bank's own reads and every commit go on as if it
 * were not there.
 */
export class RowSecurity {
  readonly #secured: ReadonlyMap<string, Secured>
  readonly #reads: PipelinedReads

  private constructor(secured: ReadonlyMap<string, Secured>, reads: PipelinedReads) {
    this.#secured = secured
    this.#reads = reads
  }

  /** Reads which tables are secured; null, with a word in the log, where the role could not be made. */
  static async open({ pool, reads }: Database, log: Logger): Promise<RowSecurity | null> {
    const { rows: roles } = await pool.query<{ is_member: boolean }>(isPossibleSql)
    const { rows } = await pool.query<{ model: string; key: string }>(securedSql)
    if (!roles[0]?.is_member || rows.length === 0) {
      log.warn('row security is off: the database has no role bankgraph_party for this user')
      return null
    }
    const secured = rows.map(({ model, key }): [string, Secured] => [
      model,
      {
        hiddenSql: `select * from kernel."hidden_${model}"($1, $2) as id`,
        key: key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      },
    ])
    return new RowSecurity(new Map(secured), reads)
  }

  isSecured(model: string): boolean {
    return this.#secured.has(model)
  }

  /** The rows among these that a party may see. */
  async keep<Row extends object>(partyId: string, model: string, rows: Row[]): Promise<Row[]> {
    const secured = this.#secured.get(model)
    if (!secured || rows.length === 0) return rows
    const { hiddenSql: text, key } = secured
    const ids = rows.map((row) => keyIn(row, key, model))
    const values = [partyId, ids]
    const answer = await this.#reads.query<{ id: string }>({
      name: statementName(text),
      text,
      values,
    })
    if (answer.rows.length === 0) return rows
    const hidden = new Set<unknown>(answer.rows.map(({ id }) => id))
    return rows.filter((_, at) => !hidden.has(ids[at]))
  }
}

function keyIn(row: object, key: string, model: string): unknown {
  if (key in row) return (row as Record<string, unknown>)[key]
  throw new Error(`A party's read of ${model} has to select ${key}.`)
}
