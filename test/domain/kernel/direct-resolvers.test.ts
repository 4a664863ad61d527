import { GraphQLObjectType, type GraphQLSchema } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { buildSubgraph } from '../../../kernel/graph/subgraph.ts'
import { notifications } from '../../../subgraphs/notifications/index.ts'
import { aCaller } from '../../kit/subgraph.ts'

let schema: GraphQLSchema
beforeAll(() => {
  schema = buildSubgraph(notifications)
})

const notification = { partyId: 'pty_ada', renderedBody: 'Hello', provider: null, channel: 'sms' }

function resolverOf(name: string) {
  const type = schema.getType('Notification') as GraphQLObjectType
  const { resolve } = type.getFields()[name]!
  return resolve && ((caller = aCaller()) => resolve(notification, {}, { caller }, {} as never))
}

test('a property of a record has no resolver', () => {
  for (const name of ['notificationId', 'channel', 'createdAt']) {
    expect(resolverOf(name)).toBeUndefined()
  }
})

test('a computed field is the value that its method returns, and no promise of it', () => {
  expect(resolverOf('party')!()).toEqual({ partyId: 'pty_ada' })
  expect(resolverOf('isSimulated')!()).toBe(false)
  expect(resolverOf('renderedBody')!()).toBe('Hello')
})

test('a computed field with a scope is refused to a caller without it', () => {
  const read = () => resolverOf('renderedBody')!(aCaller({ scopes: ['parties:read'] }))
  expect(read).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }))
})
