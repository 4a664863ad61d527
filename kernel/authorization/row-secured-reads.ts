import type { Context } from '../environment/context.ts'
import type { Db } from '../database/db.ts'
import type { RowSecurity } from './row-security.ts'

const securedContexts = new WeakMap<Context, Context>()

/**
 * Returns a copy of the context in which row-level security also filters the rows that Prisma reads
 * for a party. Returns the context itself for a caller that does not act for a party, or if
 * row-level security is off. Queries use the copy. Commands use the original context, because they
 * must decide on the complete state.
 */
export function withRowSecurity(context: Context): Context {
  const { rowSecurity } = context.bank
  const { partyId } = context.caller
  if (!rowSecurity || partyId === null) return context
  let securedContext = securedContexts.get(context)
  if (!securedContext) {
    const keepVisible = <Row extends object>(model: string, rows: Row[]) =>
      rowSecurity.keepVisible(partyId, model, rows)
    securedContext = {
      ...context,
      keepVisible,
      db: securedDb(context.db, rowSecurity, keepVisible),
    }
    securedContexts.set(context, securedContext)
    securedContexts.set(securedContext, securedContext)
  }
  return securedContext
}

type Filter = <Row extends object>(model: string, rows: Row[]) => Promise<Row[]>
type Read = (args?: object) => Promise<object | object[] | null>

const readsOfRows = new Set([
  'findMany',
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
])

/** Returns a Prisma client that filters out the rows that the party may not see. */
function securedDb(db: Db, rowSecurity: RowSecurity, keepVisible: Filter): Db {
  return new Proxy(db, {
    get(target, model) {
      const found = Reflect.get(target, model) as object
      if (typeof model !== 'string' || !rowSecurity.isSecured(model)) return found
      return securedModel(found, model, keepVisible)
    },
  })
}

function securedModel(delegate: object, model: string, keepVisible: Filter): object {
  return new Proxy(delegate, {
    get(target, operation) {
      const found = Reflect.get(target, operation) as Read
      if (typeof operation !== 'string' || !readsOfRows.has(operation)) return found
      return async (args?: object) => {
        const result = await found(args)
        if (result === null) return null
        if (Array.isArray(result)) return keepVisible(model, result as object[])
        const [row] = await keepVisible(model, [result])
        return row ?? null
      }
    },
  })
}
