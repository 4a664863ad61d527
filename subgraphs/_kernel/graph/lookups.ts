import {
  getNamedType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
} from 'graphql'
import type { Context } from '../context.ts'
import { catalogue, Problem, type ProblemCode } from '../domain/problem.ts'

type Resolve = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>

/**
 * Lets every query answer null, without an error, when the record that it is asked for by id does not
 * exist or is not visible to the caller, and adds the attempt to the audit of refusals. A record that
 * an input object names is not the subject of the query: the query still fails with its code.
 */
export function nullForUnknownIds(
  query: GraphQLObjectType | null | undefined,
  resolvers: Record<string, unknown>,
): void {
  for (const field of Object.values(query?.getFields() ?? {})) {
    const resolve = resolvers[field.name]
    const ids = idArgumentsOf(field)
    if (typeof resolve !== 'function' || ids.length === 0) continue
    resolvers[field.name] = lookup(field, ids, resolve as Resolve)
  }
}

/** The arguments by which a query is asked for one record. */
function idArgumentsOf({ args }: GraphQLField<unknown, unknown>): string[] {
  return args.filter(({ type }) => String(type) === 'ID!').map(({ name }) => name)
}

function lookup(
  field: GraphQLField<unknown, unknown>,
  ids: readonly string[],
  resolve: Resolve,
): Resolve {
  const { name: operation } = field
  const code = notFoundCode(field)
  return async (root, args, context, info) => {
    const { bank, caller, envelope } = context
    const note = (missing: ProblemCode, resourceId: string) => {
      const { requestId } = envelope
      bank.refusals.note({ caller, operation, code: missing, resourceId, requestId })
      return null
    }
    try {
      const found: unknown = await resolve(root, args, context, info)
      const isMissing = found === null || found === undefined
      return isMissing && code ? note(code, args[ids[0]!] as string) : found
    } catch (error) {
      if (!isAboutSubject(error, args, ids)) throw error
      return note(error.code, error.members.resourceId!)
    }
  }
}

function isAboutSubject(
  error: unknown,
  args: Record<string, unknown>,
  ids: readonly string[],
): error is Problem {
  if (!(error instanceof Problem) || error.status !== 404) return false
  const { resourceId } = error.members
  return resourceId !== undefined && ids.some((name) => args[name] === resourceId)
}

/** The code of the type that a query returns, for the audit: `LOAN_NOT_FOUND` of `Loan`. */
function notFoundCode({ type }: GraphQLField<unknown, unknown>): ProblemCode | undefined {
  const named = getNamedType(type)
  if (!isObjectType(named)) return undefined
  const code = `${named.name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_NOT_FOUND`
  return Object.hasOwn(catalogue, code) ? (code as ProblemCode) : undefined
}
