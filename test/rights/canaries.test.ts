/**
 * No log line contains what people say about themselves, whether a request succeeds, is rejected or
 * fails. Every text of every operation is a canary.
 */
import { GraphQLScalarType, getNamedType } from 'graphql'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../host/log.ts'
import { aPlatform, theGraph, type Platform } from '../kit/platform.ts'
import { documentFor, graphOperations, type Fill } from './operations.ts'

const lines: string[] = []
let bank: Platform
beforeAll(async () => {
  const retained = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = createLog('trace', retained)
  bank = await aPlatform('live', undefined, false, {}, log)
})
afterAll(() => bank.stop())

const canary = 'Canary-Tweety'
const texts = /^(Text|Label|String|JSONObject)$/
/** Other members with personal data. */
const personal: Record<string, unknown> = {
  address: `${canary}@example.com`,
  dateOfBirth: '1901-02-03',
  content: canary,
}
const fill: Fill = (name, input) => {
  if (name in personal && getNamedType(input.type).name !== 'Base64') return personal[name]
  const type = getNamedType(input.type)
  if (!(type instanceof GraphQLScalarType) || !texts.test(type.name)) return undefined
  return type.name === 'JSONObject' ? { name: canary } : canary
}

const leakedLines = () => lines.filter((line) => /canary|tweety|1901-02-03/i.test(line))

test('logs no personal data when every operation receives it', async () => {
  const { apiSchema, supergraph } = await theGraph()
  let sent = 0
  for (const operation of graphOperations(apiSchema, supergraph)) {
    if (operation.type === 'subscription') continue
    const { query, variables } = documentFor(operation, '__typename', fill)
    if (JSON.stringify(variables).includes(canary)) sent++
    await bank.graph(query, variables)
  }
  expect(sent).toBeGreaterThan(80)
  expect(leakedLines()).toEqual([])
})

const party = (id: string) => `mutation { createParty(input: { partyId: "${id}", kind: PERSON,
  givenName: "${canary}", familyName: "${canary}", dateOfBirth: "1901-02-03",
  contactPoints: [{ channel: EMAIL, address: "${canary}@example.com", verified: true }] }) { partyId } }`

test('logs no personal data when a party is created and updated', async () => {
  expect((await bank.graph(party('pty_good'))).body.errors).toBeUndefined()
  const renamed = `mutation { updateParty(input: { partyId: "pty_good", familyName: "${canary}2" }) { displayName } }`
  expect((await bank.graph(renamed)).body.errors).toBeUndefined()
  expect(leakedLines()).toEqual([])
})

const alter = 'alter table parties.party'
test.each([
  [
    'it violates a check constraint',
    `${alter} add constraint never check (given_name is null) not valid`,
  ],
  [
    'a column has another type',
    `drop index parties.party_given_name_idx;
     ${alter} drop constraint never, alter given_name type inet using null`,
  ],
  ['a column is missing', `${alter} rename column given_name to gone`],
])('logs and returns no personal data when a write fails because %s', async (_, change) => {
  const before = lines.length
  await bank.bank.pool.query(change)
  const { body } = await bank.graph(party(`pty_${before}`))
  expect(body.errors[0].extensions.code).toBe('INTERNAL')
  expect(JSON.stringify(body)).not.toContain(canary)
  expect(lines.length).toBeGreaterThan(before)
  expect(leakedLines()).toEqual([])
})
