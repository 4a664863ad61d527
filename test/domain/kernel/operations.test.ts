import 'reflect-metadata'
import { execute, parse, print, type GraphQLSchema } from 'graphql'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  entity,
  id,
  input,
  integer,
  label,
  object,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { buildSubgraph } from '../../../kernel/graph/subgraph.ts'
import { aCaller } from '../../kit/subgraph.ts'

const Kite = entity('Kite', 'kiteId', 'A kite.', {
  kiteId: id('The ID of the kite.'),
  color: string('The color.'),
})
type Kite = TypeOf<typeof Kite>
const FlyKiteInput = input('FlyKiteInput', 'A flight.', {
  kiteId: id('The ID of the kite.'),
  place: label('Where.').orNull(),
})

const kites: Kite[] = ['red', 'blue', 'red', 'red'].map((color, index) => ({
  kiteId: `kite_${index}`,
  color,
}))
const lists: unknown[] = []
const flights: unknown[] = []

const KiteOperations = resolverOf({
  queries: {
    kite: lookup(Kite, {
      description: 'Returns a kite.',
      scope: 'products:read',
      find: (_, kiteId) => kites.find((each) => each.kiteId === kiteId) ?? null,
    }),
    kites: listing(Kite, {
      description: 'Returns kites.',
      scope: 'products:read',
      isForBankOnly: true,
      filters: { color: label('Returns only kites of this color.').orNull() },
      maxPageSize: 3,
      async list(_, { color }, after, take) {
        lists.push([color, after, take])
        const from = after === null ? '' : after[0]!
        const found = kites.filter(
          (each) => each.kiteId > from && (color === null || each.color === color),
        )
        return found.slice(0, take)
      },
      sortKey: ({ kiteId }) => [kiteId],
    }),
  },
  mutations: {
    flyKite: operation({
      description: 'Flies a kite.',
      scope: 'products:write',
      returns: Kite,
      args: {
        input: object(FlyKiteInput, 'The flight.'),
        minutes: integer('How long.').defaultsTo(5),
        companion: label('With whom.').orNull(),
      },
      resolve(_, { input: flight, minutes, companion }, name) {
        flights.push([name, flight.place, minutes.toFixed(0), companion])
        return kites.find(({ kiteId }) => kiteId === flight.kiteId)
      },
    }),
  },
})

let schema: GraphQLSchema
beforeAll(() => {
  schema = buildSubgraph({
    name: 'kites',
    resolvers: [KiteOperations],
    types: [],
    references: {},
    workers: [],
  })
})
beforeEach(() => {
  lists.splice(0)
  flights.splice(0)
})

const pageKeys = { current: '1', keys: { '1': Buffer.alloc(32) } }
function contextOf(caller = aCaller()): Context {
  const refusals = { record: () => undefined }
  const bank = { pageKeys, refusals }
  return { caller, bank, envelope: { requestId: 'req_1' } } as unknown as Context
}
interface Answer {
  data?: any
  errors?: { originalError: Problem }[]
}
const run = async (source: string, context = contextOf()) =>
  (await execute({ schema, document: parse(source), contextValue: context })) as Answer

test('the schema has the declared operations with their scopes and arguments', async () => {
  const { data } = await run('{ _service { sdl } }')
  const { definitions } = parse(data._service.sdl)
  const printed = (name: string) =>
    print(definitions.find((each) => 'name' in each && each.name?.value === name)!)
  expect(printed('Query')).toMatchInlineSnapshot(`
    """"The operations that read data."""
    type Query {
      """
      Returns a kite. Null if the record does not exist or is not visible to the caller. Requires the scope \`products:read\`.
      """
      kite(
        """The ID of the kite."""
        kiteId: ID!
      ): Kite @scope(requires: "products:read")
      """Returns kites. Requires the scope \`products:read\`."""
      kites(
        """Returns only kites of this color."""
        color: Label
        """The maximum number of records to return, from 1 to 3. Defaults to 3."""
        first: Int
        """
        Returns the records after this cursor: pass \`endCursor\` of the previous page, with the same filters. A cursor is valid for three days. If omitted, the first page is returned.
        """
        after: String
      ): KiteConnection @scope(requires: "products:read")
      _entities(representations: [_Any!]!): [_Entity]!
      _service: _Service!
    }"
  `)
  expect(printed('Mutation')).toMatchInlineSnapshot(`
    """"The operations that change data."""
    type Mutation {
      """Flies a kite. Requires the scope \`products:write\`."""
      flyKite(
        """The flight."""
        input: FlyKiteInput!
        """How long."""
        minutes: Int! = 5
        """With whom."""
        companion: Label
      ): Kite! @scope(requires: "products:write")
    }"
  `)
})

test('a lookup finds a record by its ID, and returns null for an unknown ID', async () => {
  const { data } = await run(
    '{ kite(kiteId: "kite_1") { color } none: kite(kiteId: "x") { color } }',
  )
  expect(data).toEqual({ kite: { color: 'blue' }, none: null })
})

test('a listing returns pages of the records that match its filters', async () => {
  const page = (args: string) => `{ kites(${args}) { nodes { kiteId }
    pageInfo { hasNextPage endCursor } } }`
  const first = (await run(page('color: "red", first: 2'))).data.kites
  expect(first.nodes).toEqual([{ kiteId: 'kite_0' }, { kiteId: 'kite_2' }])
  expect(first.pageInfo.hasNextPage).toBe(true)
  const { endCursor } = first.pageInfo
  const second = (await run(page(`color: "red", first: 2, after: "${endCursor}"`))).data.kites
  expect(second.nodes).toEqual([{ kiteId: 'kite_3' }])
  expect(second.pageInfo.hasNextPage).toBe(false)
  expect(lists).toEqual([
    ['red', null, 3],
    ['red', ['kite_2'], 3],
  ])
})

test('a cursor is bound to the filters, and a page to its maximum size', async () => {
  const { data } = await run('{ kites(first: 1) { pageInfo { endCursor } } }')
  expect(lists).toEqual([[null, null, 2]])
  const { endCursor } = data.kites.pageInfo
  const other = await run(
    `{ kites(color: "red", first: 1, after: "${endCursor}") { nodes { kiteId } } }`,
  )
  expect(other.errors![0]!.originalError.code).toBe('PAGE_TOKEN_INVALID')
  const large = await run('{ kites(first: 4) { nodes { kiteId } } }')
  expect(large.errors![0]!.originalError.code).toBe('PAGE_SIZE_INVALID')
})

test('an operation gets its arguments with their defaults, and null for those omitted', async () => {
  const { data, errors } = await run('mutation { flyKite(input: { kiteId: "kite_1" }) { color } }')
  expect(errors).toBe(undefined)
  expect(data).toEqual({ flyKite: { color: 'blue' } })
  expect(flights).toEqual([['flyKite', undefined, '5', null]])
})

test('delegated users and callers without the scope are rejected before anything is done', async () => {
  const delegated = contextOf(aCaller({ partyId: 'pty_1' }))
  const list = await run('{ kites { nodes { kiteId } } }', delegated)
  expect(list.errors![0]!.originalError.code).toBe('NOT_FOR_DELEGATED_USERS')
  const reader = contextOf(aCaller({ scopes: ['products:read'] }))
  const flight = await run('mutation { flyKite(input: { kiteId: "kite_1" }) { color } }', reader)
  expect(flight.errors![0]!.originalError.code).toBe('INSUFFICIENT_SCOPE')
  expect([lists, flights]).toEqual([[], []])
})
