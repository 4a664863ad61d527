/**
 * What people say about themselves is in no line of the log: not of what was done, not of what was
 * refused, and not of what failed. Every text of every operation is a canary.
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
  const kept = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = createLog('trace', kept)
  bank = await aPlatform('live', undefined, false, {}, log)
})
afterAll(() => bank.stop())

const canary = 'Canary-Tweety'
const texts = /^(Text|Label|String|JSONObject)$/
/** Members of other types that say something about a person. */
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

const told = () => lines.filter((line) => /canary|tweety|1901-02-03/i.test(line))

test('not of what every operation is sent', async () => {
  const { apiSchema, supergraph } = await theGraph()
  let sent = 0
  for (const operation of graphOperations(apiSchema, supergraph)) {
    if (operation.type === 'subscription') continue
    const { query, variables } = documentFor(operation, '__typename', fill)
    if (JSON.stringify(variables).includes(canary)) sent++
    await bank.graph(query, variables)
  }
  expect(sent).toBeGreaterThan(80)
  expect(told()).toEqual([])
})

const party = (id: string) => `mutation { createParty(input: { partyId: "${id}", kind: PERSON,
  givenName: "${canary}", familyName: "${canary}", dateOfBirth: "1901-02-03",
  contactPoints: [{ channel: EMAIL, address: "${canary}@example.com", verified: true }] }) { partyId } }`

test('not of what is done', async () => {
  expect((await bank.graph(party('pty_good'))).body.errors).toBeUndefined()
  const renamed = `mutation { updateParty(input: { partyId: "pty_good", familyName: "${canary}2" }) { displayName } }`
  expect((await bank.graph(renamed)).body.errors).toBeUndefined()
  expect(told()).toEqual([])
})

const alter = 'alter table parties.party'
test.each([
  [
    'a rule of the database is broken',
    `${alter} add constraint never check (given_name is null) not valid`,
  ],
  [
    'a column is of another type',
    `drop index parties.party_given_name_idx;
     ${alter} drop constraint never, alter given_name type inet using null`,
  ],
  ['a column is gone', `${alter} rename column given_name to gone`],
])('not of what fails because %s, and the failure is there', async (_, change) => {
  const before = lines.length
  await bank.bank.pool.query(change)
  const { body } = await bank.graph(party(`pty_${before}`))
  expect(body.errors[0].extensions.code).toBe('INTERNAL')
  expect(JSON.stringify(body)).not.toContain(canary)
  expect(lines.length).toBeGreaterThan(before)
  expect(told()).toEqual([])
})
