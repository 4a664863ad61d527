/** Variables that are not sent have the defaults of the operation, everywhere a variable is used. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
  for (const [id, name] of [
    ['pty_1', 'One'],
    ['pty_2', 'Two'],
  ]) {
    await answer(
      `mutation ($id: ID!, $name: Label!) { createParty(input: { partyId: $id, kind: ORGANIZATION, organizationName: $name }) { partyId } }`,
      { id, name },
    )
  }
})
afterAll(() => bank.stop())

/** Asks twice: the first time the gateway executes the plan, then the compiled one runs. */
async function answer(query: string, variables: object = {}) {
  const { body } = await bank.graph(query, variables as Record<string, unknown>)
  expect(body.errors).toBeUndefined()
  return body.data as Record<string, any>
}

const query = `query ($id: ID! = "pty_1", $first: Int = 1, $isNamed: Boolean! = true) {
  party(partyId: $id) { partyId displayName @include(if: $isNamed) }
  parties(first: $first) { nodes { partyId } }
}`

describe.each(['first', 'compiled'])('A default in a query (%s run)', (run) => {
  // Another text for each run, which has a plan of its own.
  const own = query.replace('query', `query ${run}`)
  beforeAll(async () => {
    if (run === 'compiled') await answer(own)
  })

  test('is used for a variable that is not sent', async () => {
    const { party, parties } = await answer(own)
    expect(party).toEqual({ partyId: 'pty_1', displayName: 'One' })
    expect(parties.nodes).toHaveLength(1)
  })

  test('is not used for one that is sent', async () => {
    const { party, parties } = await answer(own, { id: 'pty_2', isNamed: false, first: 2 })
    expect(party).toEqual({ partyId: 'pty_2' })
    expect(parties.nodes).toHaveLength(2)
  })
})

test('a default in a mutation is used, and null is not replaced', async () => {
  const mutation = `mutation ($name: Label! = "Default Ltd", $language: Label = "de", $points: [ContactPointInput!] = [{ channel: EMAIL, address: "a@example.com" }]) {
    createParty(input: { kind: ORGANIZATION, organizationName: $name, language: $language, contactPoints: $points }) {
      displayName language contactPoints { address } } }`
  for (const _ of ['first', 'compiled']) {
    const { createParty } = await answer(mutation)
    expect(createParty).toMatchObject({
      displayName: 'Default Ltd',
      language: 'de',
      contactPoints: [{ address: 'a@example.com' }],
    })
  }
  const { createParty } = await answer(mutation, { name: 'Other Ltd', language: null, points: [] })
  expect(createParty).toMatchObject({ displayName: 'Other Ltd', contactPoints: [] })
  expect(createParty.language).not.toBe('de')
})

test('a default is used in a selection of a subscription', async () => {
  const subscription = `subscription ($after: String = "0", $isNamed: Boolean! = true) {
    businessEvents(after: $after, types: ["parties.party.created"]) {
      subject { ... on Party { partyId displayName @include(if: $isNamed) } } } }`
  const client = bank.socket()
  for await (const { data } of client.iterate({ query: subscription })) {
    const { businessEvents } = data as Record<string, any>
    expect(businessEvents.subject).toEqual({ partyId: 'pty_1', displayName: 'One' })
    break
  }
  await client.dispose()
})
