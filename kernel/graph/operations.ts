import { Requires, RequiresPerson, requireBank } from '../authorization/auth.ts'
import { contextOfPerson } from '../authorization/persons.ts'
import {
  connectionOf,
  Field,
  id,
  integer,
  string,
  type Fields,
  type Shape,
} from '../domain/model.ts'
import type { Scope } from '../domain/scopes.ts'
import type { Context } from '../environment/context.ts'
import {
  afterDescription,
  firstDescription,
  maxPageSize,
  readPage,
  type Page,
} from './connection.ts'
import { Arg, Ctx, Info, Mutation, Query, Resolver } from './decorators.ts'
import { argumentTypeOf, type Declared } from './model-types.ts'
import type { Selection } from './selected-fields.ts'

type ArgumentsOf<Args extends Fields> = {
  [Name in keyof Args]: Args[Name] extends Field<infer Value> ? Value : never
}

const personSentence =
  'A person must do this: a client that acts for itself is rejected with `PERSON_REQUIRED`, unless ' +
  'its owner has registered it to act for the owner alone.'

/** The declaration of a query or a mutation. */
export interface Operation {
  /** What it returns: a declaration of the model, a class or a list. */
  returns: Declared
  description: string
  scope: Scope
  args: Fields
  /** Whether delegated users are rejected. */
  isForBankOnly?: boolean
  /**
   * Whether a person must answer for it, so that a client that acts for itself is rejected unless it
   * speaks for its owner.
   */
  needsPerson?: boolean
  /** An argument that was omitted is null. */
  resolve(context: Context, args: any, operation: string, selection: Selection): unknown
}

/** Declares a query or a mutation. The types of its arguments follow from `args`. */
export const operation = <Args extends Fields>(
  declared: Omit<Operation, 'args' | 'resolve'> & {
    args: Args
    resolve(
      context: Context,
      args: ArgumentsOf<Args>,
      operation: string,
      selection: Selection,
    ): unknown
  },
): Operation => declared

/** Returns a resolver with the declared queries and mutations, each named after its key. */
export function resolverOf(declared: {
  queries?: Readonly<Record<string, Operation>>
  mutations?: Readonly<Record<string, Operation>>
}): Function {
  class DeclaredResolver {}
  Resolver()(DeclaredResolver)
  const prototype = DeclaredResolver.prototype as Record<string, unknown>
  for (const [decorate, operations] of [
    [Query, declared.queries ?? {}],
    [Mutation, declared.mutations ?? {}],
  ] as const) {
    for (const [name, each] of Object.entries(operations)) {
      addOperation(prototype, decorate, name, each)
    }
  }
  return DeclaredResolver
}

function addOperation(
  prototype: Record<string, unknown>,
  decorate: typeof Query | typeof Mutation,
  operationName: string,
  declared: Operation,
): void {
  const { returns, scope, args, isForBankOnly, needsPerson, resolve } = declared
  const names = Object.keys(args)
  prototype[operationName] = (...values: unknown[]) => {
    const context = values.at(-2) as Context
    const selection = values.at(-1) as Selection
    if (isForBankOnly) requireBank(context)
    const given = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))
    if (!needsPerson) return resolve(context, given, operationName, selection)
    return contextOfPerson(context, scope).then((own) =>
      resolve(own, given, operationName, selection),
    )
  }
  names.forEach((name, index) => {
    const { description = '', options } = args[name] as Field<unknown>
    const { isNullable: nullable = false, defaultValue } = options
    const type = argumentTypeOf(args[name]!)
    Arg(options.graphName ?? name, () => type as object, { description, nullable, defaultValue })(
      prototype,
      operationName,
      index,
    )
  })
  Ctx()(prototype, operationName, names.length)
  Info()(prototype, operationName, names.length + 1)
  const descriptor = Object.getOwnPropertyDescriptor(prototype, operationName)!
  const description = needsPerson
    ? `${declared.description} ${personSentence}`
    : declared.description
  decorate(() => returns, { description })(prototype, operationName, descriptor)
  Requires(scope)(prototype, operationName, descriptor)
  if (needsPerson) RequiresPerson()(prototype, operationName, descriptor)
}

/**
 * Returns the arguments that identify a record: one for each key of its shape. Throws an Error for a
 * shape without keys.
 */
export function keyArgumentsOf(shape: Shape): Fields {
  if (shape.keys.length === 0)
    throw new Error(`${shape.name} has no keys: declare it as an entity.`)
  return Object.fromEntries(shape.keys.map((key) => [key, keyArgumentOf(shape, key)]))
}

function keyArgumentOf(shape: Shape, key: string): Field<unknown> {
  const { type, description } = shape.fields[key]!
  if (!key.endsWith('Id')) return new Field(type, description)
  return id(`The ID of the ${nounOf(key)}.`)
}

/** Returns the noun in the name of a key, such as `routing profile` for `routingProfileId`. */
const nounOf = (key: string): string =>
  key.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The declaration of a query that returns one record by its ID. */
type Lookup<Entity> = Pick<Operation, 'description' | 'scope' | 'isForBankOnly'> & {
  /** Returns the record. If it returns null or throws a NOT_FOUND problem, the query returns null. */
  find(context: Context, id: string): Promise<Entity | null> | Entity | null
}

/** Returns the query for one record by its ID. */
export function lookup<Entity>(shape: Shape, declared: Lookup<Entity>): Operation {
  const { find, ...rest } = declared
  const args = keyArgumentsOf(shape)
  return {
    ...rest,
    returns: shape,
    args,
    resolve: (context, values) => find(context, values[shape.keys[0]!]),
  }
}

/** The declaration of a query that lists records in pages. */
type Listing<Entity, Filters extends Fields> = Pick<
  Operation,
  'description' | 'scope' | 'isForBankOnly'
> & {
  /** The arguments by which the list can be filtered. */
  filters?: Filters
  /** The maximum page size. */
  maxPageSize?: number
  /** Reads the rows after a sort key. See `readPage`. */
  list(
    context: Context,
    filters: ArgumentsOf<Filters>,
    after: string[] | null,
    take: number,
  ): Promise<Entity[]>
  sortKey(record: Entity): string[]
}

/** Returns the arguments of a list in pages. */
export const pageArguments = (limit = maxPageSize) => ({
  first: integer(firstDescription(limit)).orNull(),
  after: string(afterDescription).orNull(),
})

/** Returns the query for a list of records in pages. */
export function listing<Entity, Filters extends Fields = {}>(
  shape: Shape,
  declared: Listing<Entity, Filters>,
): Operation {
  const { filters = {}, maxPageSize: limit = maxPageSize, list, sortKey, ...rest } = declared
  return {
    ...rest,
    returns: connectionOf(shape),
    args: { ...filters, ...pageArguments(limit) },
    resolve(context, { first, after, ...values }, name): Promise<Page<Entity>> {
      const read = (from: string[] | null, take: number) =>
        list(context, values as ArgumentsOf<Filters>, from, take)
      return readPage(context, name, values, { first, after }, read, sortKey, limit)
    },
  }
}
