/**
 * A list reads only the columns that its document selects. Whatever a document selects, each field has the
 * value that it has in a document that selects everything.
 */
import {
  buildSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
} from 'graphql'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { runMutation, runQuery } from './kit.ts'

/** Fields with cursors, which differ each time. */
const unequal = new Set(['edges', 'pageInfo'])
const schema = buildSchema(await readFile(join(projectRoot, 'gateway/schema.graphql'), 'utf8'))
const notificationFields = selectionsOf('Notification')
const partyFields = selectionsOf('Party')
let bank: Platform

beforeAll(async () => {
  bank = await aPlatform('sandbox', undefined, true)
  await runMutation(
    bank,
    `createNotificationTemplate(input: { templateCode: "tpl_selected", channel: SECURE_MESSAGE,
      status: "active" }) { templateId }`,
  )
  for (const name of ['Ada', 'Grace']) {
    const { partyId } = await runMutation(
      bank,
      `createParty(input: { kind: PERSON, givenName: "${name}", familyName: "L",
        contactPoints: [{ channel: SECURE_MESSAGE, address: "inbox", verified: true }] }) { partyId }`,
    )
    await runMutation(
      bank,
      `createNotification(input: { partyId: "${partyId}", channel: SECURE_MESSAGE,
        templateCode: "tpl_selected", personalization: { name: "${name}" } }) { notificationId }`,
    )
  }
}, 60_000)
afterAll(() => bank.stop())

test.each(notificationFields)(
  'a list of notifications that selects only %s',
  async (_, selection) => {
    const all = `notifications { nodes { ${everything(notificationFields)} } }`
    const { notifications: full } = await runQuery(bank, all)
    expect(full.nodes.length).toBeGreaterThanOrEqual(2)
    const { notifications: nodes } = await runQuery(
      bank,
      `notifications { nodes { ${selection} } }`,
    )
    expect(nodes.nodes).toEqual(full.nodes.map(only(nodes.nodes[0])))
    const { notifications: edges } = await runQuery(
      bank,
      `notifications { edges { node { ...one } } } } fragment one on Notification { ${selection}`,
    )
    expect(edges.edges.map(({ node }: { node: object }) => node)).toEqual(nodes.nodes)
  },
)

test.each(partyFields)(
  'a joined party of which a document selects only %s',
  async (_, selection) => {
    const all = `notifications { nodes { party { ${everything(partyFields)} } } }`
    const { notifications: full } = await runQuery(bank, all)
    const { notifications: joined } = await runQuery(
      bank,
      `notifications { nodes { party { ${selection} } } }`,
    )
    const parties = joined.nodes.map(({ party }: { party: object }) => party)
    const expected = full.nodes.map(({ party }: { party: object }) => party)
    expect(parties).toEqual(expected.map(only(parties[0])))
  },
)

test('a list that variables include once or twice has the fields of both', async () => {
  const document = `query ($once: Boolean!, $twice: Boolean!) {
    notifications @include(if: $once) { nodes { status } }
    notifications @include(if: $twice) { nodes { channel templateCode } } }`
  const read = async (variables: Record<string, boolean>) => {
    const { body } = await bank.graph(document, variables)
    expect(body.errors).toBeUndefined()
    return body.data.notifications.nodes[0]
  }
  const more = { channel: 'SECURE_MESSAGE', templateCode: 'tpl_selected' }
  const status = expect.any(String) as string
  for (let turn = 0; turn < 2; turn++) {
    expect(await read({ once: true, twice: false })).toEqual({ status })
    expect(await read({ once: true, twice: true })).toEqual({ status, ...more })
    expect(await read({ once: false, twice: true })).toEqual(more)
  }
})

type NamedSelection = [name: string, selection: string]

/** Returns each field of a type that needs no argument, with the fields below it that are not records. */
function selectionsOf(name: string): NamedSelection[] {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(`${name} is not an object type.`)
  return Object.values(type.getFields())
    .filter((field) => !field.args.some(isRequiredArgument))
    .map((field) => [field.name, selectionOf(field, 2)] as NamedSelection)
    .filter(([, selection]) => selection !== '')
}

function selectionOf({ name, type }: GraphQLField<unknown, unknown>, depth: number): string {
  const named = getNamedType(type)
  if (!isCompositeType(named)) return name
  if (!isObjectType(named) || depth === 0) return ''
  const inner = Object.values(named.getFields())
    .filter((field) => field.args.length === 0 && !unequal.has(field.name))
    .map((field) => selectionOf(field, depth - 1))
    .filter(Boolean)
  return inner.length > 0 ? `${name} { ${inner.join(' ')} }` : ''
}

const everything = (selections: readonly NamedSelection[]) =>
  selections.map(([, selection]) => selection).join(' ')

/** Returns the members of a record that another record has. */
const only = (like: object) => (record: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(like).map((name) => [name, record[name]]))
