import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { aPartiesBank, type PartiesBank } from './kit.ts'

let bank: PartiesBank
beforeAll(async () => {
  bank = await aPartiesBank()
})
afterAll(() => bank.drop())

describe('permissions on parties, customers and agreements', () => {
  let mine: string
  let others: string
  const theirs: Record<string, string> = {}
  const user = () => ({ caller: aCaller({ partyId: mine }) })
  beforeAll(async () => {
    mine = await bank.aParty()
    others = await bank.aParty()
    theirs['customerId'] = await bank.aCustomer(others)
    theirs['agreementId'] = await bank.anAgreement(others)
    theirs['partyId'] = others
    await bank.anAgreement(mine)
  })

  test.each([
    ['party', 'partyId'],
    ['customer', 'customerId'],
    ['agreement', 'agreementId'],
  ])('the %s of another party is hidden as if it did not exist', async (query, key) => {
    const find = (id: string) =>
      bank.execute(`{ ${query}(${key}: "${id}") { partyId } }`, {}, user())
    const [hidden, absent] = [await find(theirs[key]!), await find('absent')]
    expectAbsent(hidden)
    expect(hidden).toEqual(absent)
    const machine = await bank.execute(`{ ${query}(${key}: "${theirs[key]}") { partyId } }`)
    expect(machine.data[query].partyId).toBe(others)
  })

  test('lists, contacts and entity references contain only own records', async () => {
    const { data } = await bank.execute(
      `query ($others: ID!, $both: [ID!]!, $references: [_Any!]!) {
        parties { nodes { partyId } }
        agreements { nodes { partyId } }
        filtered: agreements(partyId: $others) { nodes { partyId } }
        partyContacts(partyIds: $both) { partyId }
        _entities(representations: $references) { __typename }
      }`,
      {
        others,
        both: [others, mine],
        references: [
          { __typename: 'Party', partyId: others },
          { __typename: 'Customer', customerId: theirs['customerId'] },
          { __typename: 'Agreement', agreementId: theirs['agreementId'] },
          { __typename: 'Party', partyId: mine },
        ],
      },
      user(),
    )
    expect(data).toEqual({
      parties: { nodes: [{ partyId: mine }] },
      agreements: { nodes: [{ partyId: mine }] },
      filtered: { nodes: [] },
      partyContacts: [{ partyId: mine }],
      _entities: [null, null, null, { __typename: 'Party' }],
    })
  })

  test.each([
    ['updateParty(input: { partyId: "THEIRS", language: "nl" }) { partyId }', 'PARTY_NOT_FOUND'],
    ['setConsent(input: { partyId: "THEIRS" }) { partyId }', 'PARTY_NOT_FOUND'],
    ['recordDeath(partyId: "MINE", diedOn: "2026-01-01") { partyId }', 'NOT_FOR_DELEGATED_USERS'],
    ['closeParty(partyId: "MINE") { partyId }', 'NOT_FOR_DELEGATED_USERS'],
    [
      'addContactPoint(partyId: "MINE", contactPoint: { channel: PUSH, address: "x", verified: true }) { partyId }',
      'NOT_FOR_DELEGATED_USERS',
    ],
    [
      'verifyContactPoint(partyId: "MINE", channel: EMAIL, address: "ada@example.com") { partyId }',
      'NOT_FOR_DELEGATED_USERS',
    ],
    ['createParty(input: { kind: PERSON, givenName: "A" }) { partyId }', 'NOT_FOR_DELEGATED_USERS'],
    ['createCustomer(input: { partyId: "MINE" }) { partyId }', 'NOT_FOR_DELEGATED_USERS'],
    ['startKyc(customerId: "x") { partyId }', 'NOT_FOR_DELEGATED_USERS'],
    ['passKyc(customerId: "x", expiresOn: "2030-01-01") { partyId }', 'NOT_FOR_DELEGATED_USERS'],
    [
      'createAgreement(input: { partyId: "MINE", productCode: "P", agreementType: "T" }) { partyId }',
      'NOT_FOR_DELEGATED_USERS',
    ],
    ['terminateAgreement(agreementId: "x", reason: "y") { partyId }', 'NOT_FOR_DELEGATED_USERS'],
    ['cancelAgreement(agreementId: "AGREEMENT") { partyId }', 'AGREEMENT_NOT_FOUND'],
    ['signAgreement(agreementId: "AGREEMENT") { partyId }', 'AGREEMENT_NOT_FOUND'],
  ])('a delegated user is denied %s', async (call, code) => {
    const before = await bank.everything()
    const request = call
      .replace('THEIRS', others)
      .replace('MINE', mine)
      .replace('AGREEMENT', theirs['agreementId']!)
    expect((await bank.execute(`mutation { ${request} }`, {}, user())).code).toBe(code)
    expect(await bank.everything()).toEqual(before)
  })

  test('a delegated user can change their own language', async () => {
    const call = `mutation { updateParty(input: { partyId: "${mine}", language: "nl" }) { language } }`
    expect((await bank.execute(call, {}, user())).data.updateParty.language).toBe('nl')
  })

  test.each([
    ['{ parties { nodes { partyId } } }', 'parties:read'],
    ['{ agreements { nodes { partyId } } }', 'agreements:read'],
    ['mutation { closeParty(partyId: "x") { partyId } }', 'parties:write'],
    ['mutation { cancelAgreement(agreementId: "x") { partyId } }', 'agreements:write'],
    [
      '{ _entities(representations: [{ __typename: "Party", partyId: "x" }]) { __typename } }',
      'parties:read',
    ],
  ])('%s requires its scope', async (document, scope) => {
    const { errors } = await bank.execute(document, {}, { caller: aCaller({ scopes: [] }) })
    expect(errors[0]!.extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope })
  })
})
