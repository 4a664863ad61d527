import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { ada, bank, createProfile, doesProfile, openBank, unique } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Access to routing profiles', () => {
  test('denies delegated users reading, creating and changing profiles', async () => {
    const query = 'query ($id: ID!) { routingProfile(routingProfileId: $id) { name } }'
    const id = 'rtp_retail'
    expect((await bank.execute(query, { id })).data.routingProfile.name).toBe('Retail')
    expect((await bank.execute(query, { id }, { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    expectAbsent(await bank.execute(query, { id: 'rtp_none' }))
    expect((await createProfile('name: "Mine"', { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    expect((await doesProfile('activateRoutingProfile', id, { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    const keys = [{ __typename: 'RoutingProfile', routingProfileId: id }]
    const entities =
      'query ($keys: [_Any!]!) { _entities(representations: $keys) { ... on RoutingProfile { name } } }'
    expect((await bank.execute(entities, { keys }, { caller: ada })).data._entities).toEqual([null])
    expect((await bank.execute(entities, { keys })).data._entities).toEqual([{ name: 'Retail' }])
  })

  test('returns pages in order of creation without duplicates, and filters by status', async () => {
    const list = `query ($after: String, $status: RoutingProfileStatus) {
      routingProfiles(first: 3, after: $after, status: $status) {
        nodes { name status } pageInfo { hasNextPage endCursor } } }`
    const created: string[] = []
    for (let at = 0; at < 7; at++) {
      // Records of the same instant are ordered by id.
      bank.clock.advance(1)
      const name = unique('Listed')
      created.push(name)
      const status = at % 2 === 0 ? 'draft' : 'active'
      expect((await createProfile(`name: "${name}", status: "${status}"`)).errors).toEqual([])
    }
    const names: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const page: any = (await bank.execute(list, { after })).data.routingProfiles
      names.push(...page.nodes.map(({ name }: any) => name))
      ;({ hasNextPage: more, endCursor: after } = page.pageInfo)
    }
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('Retail')
    expect(names.slice(-created.length)).toEqual(created)
    const drafts = (await bank.execute(list, { status: 'DRAFT' })).data.routingProfiles.nodes
    expect(drafts).toHaveLength(3)
    expect(new Set(drafts.map(({ status }: any) => status))).toEqual(new Set(['DRAFT']))
  })
})
