import { execute, parse, print, type GraphQLSchema } from 'graphql'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import {
  date,
  entity,
  enumeration,
  id,
  integer,
  list,
  money,
  oneOf,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { buildSubgraph } from '../../../kernel/graph/subgraph.ts'
import { transitionResolver, type Change } from '../../../kernel/graph/transitions.ts'
import { aCaller } from '../../kit/subgraph.ts'

const Reason = enumeration('BoatSaleReason', 'Why a boat is sold.', {
  'too-small': 'It is too small.',
  other: 'Another reason.',
})
const Boat = entity('RowingBoat', 'rowingBoatId', 'A boat.', {
  rowingBoatId: id('The ID of the boat.'),
  name: text('The name.'),
})
type Boat = TypeOf<typeof Boat>
type Event = 'boats.boat.sold' | 'boats.boat.sunk'

const now = new Date(0)
const boats = new Map<string, Boat>()
const calls: unknown[][] = []
const requests: unknown[] = []

const change: Change<Boat, Event> = async (_, operation, input, boatId, event, decide) => {
  calls.push([operation, input, boatId, event])
  const before = boats.get(boatId)
  if (!before) throw new Problem('PARTY_NOT_FOUND', { resourceId: boatId })
  const after = await decide(before, now)
  boats.set(boatId, after)
  return after
}

const BoatTransitions = transitionResolver<Boat, Event>(Boat, change, {
  sellBoat: {
    description: 'Sells a boat.',
    scope: 'products:write',
    event: 'boats.boat.sold',
    args: {
      reason: oneOf(Reason, 'Why it is sold.'),
      price: money('The price.'),
      soldOn: date('The date of the sale.').orNull(),
      buyers: list(id(), 'Who bought it.').orNull(),
      copies: integer('How many.').defaultsTo(1),
      formerReason: oneOf(Reason, 'Why it was bought.').defaultsTo('too-small'),
    },
    decide(before, request) {
      requests.push(request)
      return { ...before, name: `${before.name}, sold` }
    },
  },
  sinkBoat: {
    description: 'Sinks a boat.',
    scope: 'products:read',
    event: 'boats.boat.sunk',
    decide: (before) => Promise.resolve({ ...before, name: `${before.name}, sunk` }),
  },
})

let schema: GraphQLSchema
beforeAll(() => {
  schema = buildSubgraph({
    name: 'boats',
    resolvers: [BoatTransitions],
    types: [],
    references: {},
    workers: [],
  })
})
beforeEach(() => {
  calls.splice(0)
  requests.splice(0)
  boats.clear()
  boats.set('boat_1', { rowingBoatId: 'boat_1', name: 'Nora' })
})

const contextOf = (caller = aCaller()) => ({ caller }) as Context
const run = (source: string, context = contextOf()) =>
  execute({ schema, document: parse(source), contextValue: context })

test('each transition is a mutation with its scope, and its arguments in order', async () => {
  const { data } = await run('{ _service { sdl } }')
  const { sdl } = (data as { _service: { sdl: string } })._service
  const mutation = parse(sdl).definitions.find(
    (each) => 'name' in each && each.name?.value === 'Mutation',
  )
  expect(print(mutation!)).toBe(`"""The operations that change data."""
type Mutation {
  """Sells a boat. Requires the scope \`products:write\`."""
  sellBoat(
    """The ID of the rowing boat."""
    rowingBoatId: ID!
    """Why it is sold."""
    reason: BoatSaleReason!
    """The price."""
    price: MoneyInput!
    """The date of the sale."""
    soldOn: Date
    """Who bought it."""
    buyers: [ID!]
    """How many."""
    copies: Int! = 1
    """Why it was bought."""
    formerReason: BoatSaleReason! = TOO_SMALL
  ): RowingBoat! @scope(requires: "products:write")
  """Sinks a boat. Requires the scope \`products:read\`."""
  sinkBoat(
    """The ID of the rowing boat."""
    rowingBoatId: ID!
  ): RowingBoat! @scope(requires: "products:read")
}`)
})

test('the change gets the operation, the arguments by name, the ID and the event', async () => {
  const answer = await run(`mutation { sellBoat(rowingBoatId: "boat_1", reason: TOO_SMALL,
    price: { amount: "5.00", currency: "EUR" }, buyers: ["pty_1"], soldOn: "2026-03-01") {
    rowingBoatId name } }`)
  expect(answer.errors).toBe(undefined)
  expect(answer.data).toEqual({ sellBoat: { rowingBoatId: 'boat_1', name: 'Nora, sold' } })
  const input = {
    rowingBoatId: 'boat_1',
    reason: 'too-small',
    price: { amount: '5.00', currency: 'EUR' },
    soldOn: '2026-03-01',
    buyers: ['pty_1'],
    copies: 1,
    formerReason: 'too-small',
  }
  expect(calls).toEqual([['sellBoat', input, 'boat_1', 'boats.boat.sold']])
})

test('the decision gets the record, the time, the context and the arguments', async () => {
  const context = contextOf()
  await run(
    `mutation { sellBoat(rowingBoatId: "boat_1", reason: OTHER,
      price: { amount: "5.00", currency: "EUR" }, copies: 2) { name } }`,
    context,
  )
  expect(requests).toEqual([
    { now, context, args: expect.objectContaining({ reason: 'other', copies: 2 }) },
  ])
  expect((requests[0] as { context: Context }).context).toBe(context)
})

test('a transition without arguments takes the ID only, and may decide later', async () => {
  const { data } = await run('mutation { sinkBoat(rowingBoatId: "boat_1") { name } }')
  expect(data).toEqual({ sinkBoat: { name: 'Nora, sunk' } })
  expect(calls).toEqual([['sinkBoat', { rowingBoatId: 'boat_1' }, 'boat_1', 'boats.boat.sunk']])
})

test('a caller without the scope of a transition changes nothing', async () => {
  const caller = aCaller({ scopes: ['products:read'] })
  const { errors } = await run(
    `mutation { sellBoat(rowingBoatId: "boat_1", reason: OTHER,
      price: { amount: "5.00", currency: "EUR" }) { name } }`,
    contextOf(caller),
  )
  const problem = errors![0]!.originalError as Problem
  expect([problem.code, problem.members.scope]).toEqual(['INSUFFICIENT_SCOPE', 'products:write'])
  expect(calls).toEqual([])
  const other = await run(
    'mutation { sinkBoat(rowingBoatId: "boat_1") { name } }',
    contextOf(caller),
  )
  expect(other.errors).toBe(undefined)
})

test('a problem of the change is the error of the mutation', async () => {
  const { errors } = await run('mutation { sinkBoat(rowingBoatId: "boat_2") { name } }')
  expect((errors![0]!.originalError as Problem).code).toBe('PARTY_NOT_FOUND')
})
