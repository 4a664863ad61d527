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
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { buildSubgraph } from '../../../kernel/graph/subgraph.ts'
import { resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf, type Change } from '../../../kernel/graph/transitions.ts'
import { stateMachine, type EventOf } from '../../../kernel/domain/state-machine.ts'
import { aCaller } from '../../kit/subgraph.ts'

const Reason = enumeration('BoatSaleReason', 'Why a boat is sold.', {
  'too-small': 'It is too small.',
  other: 'Another reason.',
})
const BoatStatus = enumeration('BoatStatus', 'Where a boat is.', {
  'in-use': 'It sails.',
  sold: 'It has another owner.',
  sunk: 'It is lost.',
})
const Boat = entity('RowingBoat', 'rowingBoatId', 'A boat.', {
  rowingBoatId: id('The ID of the boat.'),
  name: text('The name.'),
  status: oneOf(BoatStatus, 'Where it is.'),
  reasons: list(oneOf(Reason), 'Why it was sold.').orNull(),
  price: money('The price.').orNull(),
  soldOn: date('The date of the sale.').orNull(),
  copies: integer('How many.').orNull(),
  changedBy: string('Who changed it.').orNull(),
})
type Boat = TypeOf<typeof Boat>
const nora: Boat = {
  rowingBoatId: 'boat_1',
  name: 'Nora',
  status: 'in-use',
  reasons: null,
  price: null,
  soldOn: null,
  copies: null,
  changedBy: null,
}

const boatStates = stateMachine(Boat, 'status', {
  sellBoat: {
    description: 'Sells a boat.',
    scope: 'products:write',
    from: ['in-use'],
    to: 'sold',
    event: ['boats.boat.sold', 'A boat was sold.'],
    args: {
      reasons: list(oneOf(Reason), 'Why it is sold.').named('because'),
      price: money('The price.'),
      soldOn: date('The date of the sale.').orNull(),
      copies: integer('How many.').defaultsTo(1),
    },
    set: ({ subject }) => ({ changedBy: subject }),
  },
  sinkBoat: {
    description: 'Sinks a boat.',
    scope: 'products:read',
    from: ['in-use', 'sold'],
    to: 'sunk',
    event: ['boats.boat.sunk', 'A boat was sunk.'],
    isForDelegatedUsers: true,
  },
})
type Event = EventOf<typeof boatStates>

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

const BoatMutations = resolverOf({
  mutations: transitionsOf(boatStates, change, {
    async sinkBoat(sunk: Boat, request) {
      requests.push(request)
      if (request.before.name === 'Unsinkable') throw new Problem('STATE_CONFLICT')
      return { ...sunk, name: `${sunk.name}, sunk` }
    },
  }),
})

let schema: GraphQLSchema
beforeAll(() => {
  schema = buildSubgraph({
    name: 'boats',
    resolvers: [BoatMutations],
    types: [],
    references: {},
    workers: [],
  })
})
beforeEach(() => {
  calls.splice(0)
  requests.splice(0)
  boats.clear()
  boats.set('boat_1', nora)
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
    because: [BoatSaleReason!]!
    """The price."""
    price: MoneyInput!
    """The date of the sale."""
    soldOn: Date
    """How many."""
    copies: Int! = 1
  ): RowingBoat! @scope(requires: "products:write")
  """Sinks a boat. Requires the scope \`products:read\`."""
  sinkBoat(
    """The ID of the rowing boat."""
    rowingBoatId: ID!
  ): RowingBoat! @scope(requires: "products:read")
}`)
})

const sale = `mutation { sellBoat(rowingBoatId: "boat_1", because: [TOO_SMALL],
  price: { amount: "5.00", currency: "EUR" }, soldOn: "2026-03-01") { name status } }`

test('the change gets the operation, the arguments by their names in the graph, and the event', async () => {
  const answer = await run(sale)
  expect(answer.errors).toBe(undefined)
  expect(answer.data).toEqual({ sellBoat: { name: 'Nora', status: 'SOLD' } })
  const input = {
    rowingBoatId: 'boat_1',
    because: ['too-small'],
    price: { amount: '5.00', currency: 'EUR' },
    soldOn: '2026-03-01',
    copies: 1,
  }
  expect(calls).toEqual([['sellBoat', input, 'boat_1', 'boats.boat.sold']])
})

test('a transition sets the state, the fields of its arguments, and its other fields', async () => {
  const caller = aCaller()
  await run(sale, contextOf(caller))
  expect(boats.get('boat_1')).toEqual({
    ...nora,
    status: 'sold',
    reasons: ['too-small'],
    price: { amount: '5.00', currency: 'EUR' },
    soldOn: '2026-03-01',
    copies: 1,
    changedBy: caller.subject,
  })
})

test('a rule gets the new state, the old one, the time, the caller and the context', async () => {
  const context = contextOf()
  const { data } = await run('mutation { sinkBoat(rowingBoatId: "boat_1") { name } }', context)
  expect(data).toEqual({ sinkBoat: { name: 'Nora, sunk' } })
  const { subject } = context.caller
  const args = { rowingBoatId: 'boat_1' }
  expect(requests).toEqual([{ now, subject, context, before: nora, args }])
})

test('neither a rule nor another state can be bypassed', async () => {
  boats.set('boat_1', { ...nora, name: 'Unsinkable' })
  const refused = await run('mutation { sinkBoat(rowingBoatId: "boat_1") { name } }')
  expect((refused.errors![0]!.originalError as Problem).code).toBe('STATE_CONFLICT')
  boats.set('boat_1', { ...nora, status: 'sunk' })
  const { errors } = await run(sale)
  expect((errors![0]!.originalError as Problem).code).toBe('INVALID_STATE_TRANSITION')
  expect(boats.get('boat_1')!.status).toBe('sunk')
})

test('a delegated user makes only the transitions that allow it', async () => {
  const context = contextOf(aCaller({ partyId: 'pty_1' }))
  const { errors } = await run(sale, context)
  expect((errors![0]!.originalError as Problem).code).toBe('NOT_FOR_DELEGATED_USERS')
  expect(calls).toEqual([])
  const sunk = await run('mutation { sinkBoat(rowingBoatId: "boat_1") { name } }', context)
  expect(sunk.errors).toBe(undefined)
})

test('a caller without the scope of a transition changes nothing', async () => {
  const caller = aCaller({ scopes: ['products:read'] })
  const { errors } = await run(sale, contextOf(caller))
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
