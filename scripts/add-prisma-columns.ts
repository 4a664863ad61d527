import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../host/embedded-postgres.ts'
import { migrate } from '../host/migrate.ts'
import { projectRoot } from '../kernel/environment/root.ts'

// Adds the columns of the migrated database that the Prisma models lack, so that a new column is
// written once, in its migration. A new table needs a model with its `@id`, `@@map` and `@@schema`;
// its other fields are added here. Existing fields and their comments stay as they are.

interface Column {
  schema: string
  table: string
  name: string
  type: string
  isNullable: boolean
}

const columnsSql = `
  select n.nspname as schema, c.relname as table, a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as "isNullable"
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  order by a.attnum`

/** The Prisma type of each PostgreSQL type. */
const prismaTypes: Readonly<Record<string, string>> = {
  text: 'String',
  'text[]': 'String[]',
  integer: 'Int',
  bigint: 'BigInt',
  boolean: 'Boolean',
  jsonb: 'Json',
  json: 'Json @db.Json',
  bytea: 'Bytes',
  date: 'DateTime @db.Date',
  'timestamp(3) with time zone': 'DateTime @db.Timestamptz(3)',
  'timestamp with time zone': 'DateTime @db.Timestamptz(6)',
}

/** Reads the columns of a new database to which all migrations were applied. */
async function readColumns(): Promise<Column[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-columns-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => undefined,
    isDurable: false,
    isTemporary: true,
  })
  try {
    await postgres.ensureDatabase('bankgraph')
    const url = postgres.url('bankgraph')
    await migrate(url)
    const client = new Client(url)
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<Column>(columnsSql)
    await client.end()
    return rows
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const modelPattern = /^model \w+ \{\n([\s\S]*?)^\}/gm

/** Returns the text of a Prisma schema with the columns that its models lack. */
function withColumns(schemaText: string, columns: readonly Column[]): string {
  return schemaText.replace(modelPattern, (model, body: string) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1]
    const schema = /@@schema\("(\w+)"\)/.exec(body)?.[1]
    const fields = [...body.matchAll(/^ {2}(\w+) +[A-Z].*$/gm)]
    const known = new Set(fields.map(([line, name]) => /@map\("(\w+)"\)/.exec(line)?.[1] ?? name))
    const missing = columns.filter(
      (column) => column.table === table && column.schema === schema && !known.has(column.name),
    )
    const lastField = fields.at(-1)?.[0]
    if (missing.length === 0 || lastField === undefined) return model
    const added = missing.map((column) => aligned(fieldOf(column), lastField).trimEnd())
    return model.replace(lastField, [lastField, ...added].join('\n'))
  })
}

/** Returns the parts of the line that declares a column: its field, type and attributes. */
function fieldOf({ name, type, isNullable }: Column): [string, string, string] {
  const field = name.replace(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase())
  const prismaType = prismaTypes[type] ?? decimalType(type)
  if (!prismaType) throw new Error(`The column ${name} has the type ${type}, which has no mapping.`)
  const [scalar, native] = prismaType.split(' ')
  const isList = scalar!.endsWith('[]')
  const attributes = [...(field === name ? [] : [`@map("${name}")`]), ...(native ? [native] : [])]
  return [field, `${scalar}${isNullable && !isList ? '?' : ''}`, attributes.join(' ')]
}

/** Returns a line with its parts below those of another line. */
function aligned([field, type, attributes]: [string, string, string], other: string): string {
  const [, before = '', ofType = ''] = /^( {2}\w+ +)(\S+ *)/.exec(other) ?? []
  const start = `  ${field} `.padEnd(before.length)
  return `${start}${type} `.padEnd(before.length + ofType.length) + attributes
}

const decimalType = (type: string): string | undefined => {
  const precision = /^numeric\((\d+),(\d+)\)$/.exec(type)
  return precision ? `Decimal @db.Decimal(${precision[1]},${precision[2]})` : undefined
}

const folder = join(projectRoot, 'prisma', 'schema')
const columns = await readColumns()
for (const file of await readdir(folder)) {
  const path = join(folder, file)
  const schemaText = await readFile(path, 'utf8')
  const completed = withColumns(schemaText, columns)
  if (completed === schemaText) continue
  await writeFile(path, completed)
  console.log(`${file}: columns added`)
}
