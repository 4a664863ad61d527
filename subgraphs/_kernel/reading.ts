import type { Context } from './context.ts'
import type { Db } from './db.ts'
import type { RowSecurity } from './row-security.ts'

const known = new WeakMap<Context, Context>()

/**
 * The context of a query, which changes nothing: what it reads for a party through Prisma stands
 * behind the second wall, too. Commands decide on what is there, whoever may see it.
 */
export function reading(context: Context): Context {
  const { rowSecurity } = context.bank
  const { partyId } = context.caller
  if (!rowSecurity || partyId === null) return context
  let derived = known.get(context)
  if (!derived) {
    const keep = <Row extends object>(model: string, rows: Row[]) =>
      rowSecurity.keep(partyId, model, rows)
    derived = { ...context, keep, db: securedDb(context.db, rowSecurity, keep) }
    known.set(context, derived)
    known.set(derived, derived)
  }
  return derived
}

type Keep = <Row extends object>(model: string, rows: Row[]) => Promise<Row[]>
type Read = (args?: object) => Promise<object | object[] | null>

const readsOfRows = new Set([
  'findMany',
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
])

/** Prisma's client, whose reads of rows keep what may be seen. */
function securedDb(db: Db, rowSecurity: RowSecurity, keep: Keep): Db {
  return new Proxy(db, {
    get(target, model) {
      const found = Reflect.get(target, model) as object
      if (typeof model !== 'string' || !rowSecurity.isSecured(model)) return found
      return securedModel(found, model, keep)
    },
  })
}

function securedModel(delegate: object, model: string, keep: Keep): object {
  return new Proxy(delegate, {
    get(target, operation) {
      const found = Reflect.get(target, operation) as Read
      if (typeof operation !== 'string' || !readsOfRows.has(operation)) return found
      return async (args?: object) => {
        const answer = await found(args)
        if (answer === null) return null
        if (Array.isArray(answer)) return keep(model, answer as object[])
        const [row] = await keep(model, [answer])
        return row ?? null
      }
    },
  })
}
