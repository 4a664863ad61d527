import {
  getNamedType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
} from 'graphql'
import type { Context } from '../environment/context.ts'
import { catalog, Problem, type ProblemCode } from '../domain/problem.ts'

type Resolve = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>

/**
 * Makes every query by ID return null, without an error, if the record does not exist or is not
 * visible to the caller. The attempt is added to the audit log of rejected requests if the catalog
 * has a NOT_FOUND code for the record. Only a record that an argument of the type `ID!` identifies
 * is treated in this way. If an input object refers to a missing record, the query still fails with
 * the NOT_FOUND code of that record.
 */
export function nullForUnknownIds(
  query: GraphQLObjectType | null | undefined,
  resolvers: Record<string, unknown>,
): void {
  for (const field of Object.values(query?.getFields() ?? {})) {
    const resolve = resolvers[field.name]
    const idArguments = idArgumentsOf(field)
    if (typeof resolve !== 'function' || idArguments.length === 0) continue
    resolvers[field.name] = lookupResolver(field, idArguments, resolve as Resolve)
  }
}

/** Returns the names of the arguments that identify the record of a query. */
function idArgumentsOf({ args }: GraphQLField<unknown, unknown>): string[] {
  return args.filter(({ type }) => String(type) === 'ID!').map(({ name }) => name)
}

function lookupResolver(
  field: GraphQLField<unknown, unknown>,
  idArguments: readonly string[],
  resolve: Resolve,
): Resolve {
  const { name: operation } = field
  const code = notFoundCode(field)
  return async (root, args, context, info) => {
    const { bank, caller, envelope } = context
    const recordMissing = (missingCode: ProblemCode, resourceId: string) => {
      const { requestId } = envelope
      bank.refusals.record({ caller, operation, code: missingCode, resourceId, requestId })
      return null
    }
    try {
      const found: unknown = await resolve(root, args, context, info)
      const isMissing = found === null || found === undefined
      return isMissing && code ? recordMissing(code, args[idArguments[0]!] as string) : found
    } catch (error) {
      if (!isAboutRequestedRecord(error, args, idArguments)) throw error
      return recordMissing(error.code, error.members.resourceId!)
    }
  }
}

function isAboutRequestedRecord(
  error: unknown,
  args: Record<string, unknown>,
  idArguments: readonly string[],
): error is Problem {
  if (!(error instanceof Problem) || error.status !== 404) return false
  const { resourceId } = error.members
  return resourceId !== undefined && idArguments.some((name) => args[name] === resourceId)
}

/**
 * Returns the NOT_FOUND code for the type that a query returns, such as `LOAN_NOT_FOUND` for
 * `Loan`; undefined if the catalog has no such code.
 */
function notFoundCode({ type }: GraphQLField<unknown, unknown>): ProblemCode | undefined {
  const namedType = getNamedType(type)
  if (!isObjectType(namedType)) return undefined
  const code = `${namedType.name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_NOT_FOUND`
  return Object.hasOwn(catalog, code) ? (code as ProblemCode) : undefined
}
