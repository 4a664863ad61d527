import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aPartiesBank, type PartiesBank } from './kit.ts'

let bank: PartiesBank
const people: Record<string, object> = {
  pty_ada: { kind: 'PERSON', givenName: 'Ada', familyName: 'Lovelace' },
  pty_adam: { kind: 'PERSON', givenName: 'Adam', familyName: 'Lovett' },
  pty_ever: { kind: 'PERSON', givenName: '100%', familyName: 'Ever_' },
  pty_nikos: { kind: 'PERSON', givenName: 'ΝΙΚΟΣ', familyName: 'de la Cruz' },
  pty_engines: { kind: 'ORGANIZATION', organizationName: 'Analytical Engines Ltd' },
}
beforeAll(async () => {
  bank = await aPartiesBank()
  for (const [partyId, more] of Object.entries(people)) {
    const contactPoints = [{ channel: 'EMAIL', address: `${partyId}@example.com`, verified: true }]
    const { errors } = await bank.execute(
      'mutation ($input: CreatePartyInput!) { createParty(input: $input) { partyId } }',
      { input: { partyId, contactPoints, ...more } },
    )
    expect(errors).toEqual([])
  }
})
afterAll(() => bank.drop())

const finding =
  'query ($search: Label, $first: Int, $after: String) { parties(search: $search, first: $first, after: $after) { nodes { partyId } pageInfo { endCursor hasNextPage } } }'
async function found(search: string | null, caller = aCaller()): Promise<string[]> {
  const { data } = await bank.execute(finding, { search, first: 200 }, { caller })
  return data.parties.nodes.map(({ partyId }: { partyId: string }) => partyId)
}

describe('party search', () => {
  test.each([
    ['ada', ['pty_ada', 'pty_adam']],
    ['Love', ['pty_ada', 'pty_adam']],
    ['lovelace ADA', ['pty_ada']],
    ['  ada   lovet ', ['pty_adam']],
    ['ada lovex', []],
    ['adam lovet', ['pty_adam']],
    ['analytical eng', ['pty_engines']],
    ['engines', []],
    ['pty_ada@example.com', ['pty_ada']],
    ['pty_ada@example', []],
    ['ΝΙΚΟΣ', ['pty_nikos']],
    ['de la cruz', ['pty_nikos']],
    ['100%', ['pty_ever']],
    ['%', []],
    ['_', []],
    ['ever_', ['pty_ever']],
    ['\\', []],
    ["o'; drop table", []],
  ])('returns the matches for %s', async (search, expected) => {
    expect(await found(search)).toEqual(expected)
  })

  test('is paged, and rejects a page token of another search', async () => {
    const page = (variables: object) => bank.execute(finding, { first: 1, ...variables })
    const { data } = await page({ search: 'ada' })
    const { endCursor, hasNextPage } = data.parties.pageInfo
    expect(hasNextPage).toBe(true)
    const next = await page({ search: 'ada', after: endCursor })
    expect(next.data.parties).toMatchObject({
      nodes: [{ partyId: 'pty_adam' }],
      pageInfo: { hasNextPage: false },
    })
    expect((await page({ search: 'adam', after: endCursor })).code).toBe('PAGE_TOKEN_INVALID')
  })

  test('finds only the party for whom the caller acts', async () => {
    const ada = aCaller({ partyId: 'pty_ada' })
    expect(await found('love', ada)).toEqual(['pty_ada'])
    expect(await found('pty_adam@example.com', ada)).toEqual([])
    expect(await found(null, ada)).toEqual(['pty_ada'])
  })

  test('finds parties among 20,000', async () => {
    // In parts, so that a slow machine inserts each within the statement timeout.
    for (let first = 1; first <= 20_000; first += 4_000) {
      await bank.rows(
        `insert into parties.party select (json_populate_record(p, json_build_object(
           'party_id', 'many_' || n, 'given_name', 'G' || n, 'family_name', 'F' || n,
           'contact_points', json_build_array(json_build_object('channel', 'email', 'address', n || '@example.com'))))).*
         from parties.party p, generate_series($1::int, $1 + 3999) n where party_id = 'pty_ada'`,
        [first],
      )
    }
    await bank.rows('analyze parties.party', [])
    // Matches 777, and 7770 to 7779.
    expect(await found('g777 f777')).toHaveLength(11)
    expect(await found('19999@example.com')).toEqual(['many_19999'])
  })
})

test('`me` is the party for whom the caller acts, or null', async () => {
  const ada = { caller: aCaller({ partyId: 'pty_ada' }) }
  const query = '{ me { partyId displayName } }'
  expect((await bank.execute(query, {}, ada)).data.me).toEqual({
    partyId: 'pty_ada',
    displayName: 'Ada Lovelace',
  })
  expect((await bank.execute(query)).data.me).toBeNull()
})
