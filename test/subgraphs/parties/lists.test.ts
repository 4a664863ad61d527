import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { parties } from '../../../subgraphs/parties/index.ts'
import { aPartiesBank, type PartiesBank } from './kit.ts'

let bank: PartiesBank
beforeAll(async () => {
  bank = await aPartiesBank()
})
afterAll(() => bank.drop())

describe('expiry of agreements and KYC', () => {
  const runAll = async () => {
    let count = 0
    for (const worker of parties.workers) count += await worker.run(bankContext(bank.bank))
    return count
  }

  test('happens on the day after the last valid day, once', async () => {
    const partyId = await bank.aParty()
    const agreementId = await bank.anAgreement(partyId, { effectiveTo: '2026-03-10' })
    const customerId = await bank.aCustomer(partyId)
    const run = (call: string) => bank.execute(`mutation { ${call} { status } }`)
    await run(`sendAgreementForSignature(agreementId: "${agreementId}")`)
    await run(`signAgreement(agreementId: "${agreementId}", signedAt: "2026-03-01T10:00:00+02:00")`)
    await run(`startKyc(customerId: "${customerId}")`)
    await run(`passKyc(customerId: "${customerId}", expiresOn: "2026-03-10")`)
    bank.clock.set('2026-03-10T23:59:59Z')
    expect(await runAll()).toBe(0)
    bank.clock.set('2026-03-11T00:00:00Z')
    const counts = await Promise.all([runAll(), runAll()])
    expect(counts[0]! + counts[1]!).toBe(2)
    const { data } = await bank.execute(
      `{ agreement(agreementId: "${agreementId}") { status signedAt effectiveFrom effectiveTo }
         customer(customerId: "${customerId}") { kycState } }`,
    )
    expect(data).toEqual({
      agreement: {
        status: 'EXPIRED',
        signedAt: '2026-03-01T08:00:00.000Z',
        effectiveFrom: '2026-03-01',
        effectiveTo: '2026-03-10',
      },
      customer: { kycState: 'EXPIRED' },
    })
    expect((await bank.eventsOf(`agreement/${agreementId}`)).at(-1)).toBe(
      'agreements.agreement.expired',
    )
    expect((await bank.eventsOf(`customer/${customerId}`)).at(-1)).toBe(
      'parties.customer.kyc-expired',
    )
    expect(await bank.fact(`customer/${customerId}`)).toMatchObject({ kycState: 'expired' })
  })
})

describe('list of agreements', () => {
  const document = `query ($partyId: ID, $status: String, $first: Int, $after: String) {
    agreements(partyId: $partyId, status: $status, first: $first, after: $after) {
      nodes { agreementId } edges { cursor } pageInfo { hasNextPage endCursor pageSize } } }`
  const ids = (answer: { data: any }) =>
    answer.data.agreements.nodes.map((node: { agreementId: string }) => node.agreementId)

  test('is paged in the order of creation, also among equal times', async () => {
    const partyId = await bank.aParty()
    const all: string[] = []
    for (let each = 0; each < 7; each++) {
      all.push(await bank.anAgreement(partyId))
      if (each % 3 === 2) bank.clock.advance(1)
    }
    const seen: string[] = []
    for (let after: string | null = null; ;) {
      const page = await bank.execute(document, { partyId, first: 2, after })
      seen.push(...ids(page))
      const { hasNextPage, endCursor, pageSize } = page.data.agreements.pageInfo
      expect(pageSize).toBe(2)
      if (!hasNextPage) break
      after = endCursor
    }
    expect(seen.toSorted()).toEqual(all.toSorted())
    expect(seen.slice(0, 3).toSorted()).toEqual(all.slice(0, 3).toSorted())
    expect(seen.at(-1)).toBe(all.at(-1))
  })

  test('filters exactly, is empty for an unknown party, and rejects an unknown status', async () => {
    const partyId = await bank.aParty()
    const draft = await bank.anAgreement(partyId)
    const sent = await bank.anAgreement(partyId)
    await bank.execute(`mutation { sendAgreementForSignature(agreementId: "${sent}") { status } }`)
    const list = async (variables: object) => ids(await bank.execute(document, { ...variables }))
    expect(await list({ partyId, status: 'DRAFT' })).toEqual([draft])
    expect(await list({ partyId, status: 'Pending-Signature' })).toEqual([sent])
    for (const status of ['draf', '\0']) {
      expect((await bank.execute(document, { partyId, status })).code).toBe('VALIDATION_FAILED')
    }
    expect(await list({ partyId: 'pty_nobody' })).toEqual([])
  })

  test('rejects an invalid page size, and a page token of another query', async () => {
    const page = await bank.execute(document, { first: 1 })
    const after = page.data.agreements.pageInfo.endCursor
    expect((await bank.execute(document, { first: 0 })).code).toBe('PAGE_SIZE_INVALID')
    expect((await bank.execute(document, { first: 201 })).code).toBe('PAGE_SIZE_INVALID')
    const other = await bank.execute(document, { status: 'draft', after })
    expect(other.code).toBe('PAGE_TOKEN_INVALID')
  })
})

test('resolves fifty references of each kind in at most three queries', async () => {
  const partyId = await bank.aParty()
  const agreementIds = await Promise.all(
    Array.from({ length: 50 }, () => bank.anAgreement(partyId)),
  )
  const partyIds = await Promise.all(Array.from({ length: 50 }, () => bank.aParty()))
  const references = [
    ...agreementIds.map((agreementId) => ({ __typename: 'Agreement', agreementId })),
    ...partyIds.map((each) => ({ __typename: 'Party', partyId: each })),
  ]
  const { pool } = bank.bank
  const query = pool.query.bind(pool)
  let queries = 0
  pool.query = ((...args: Parameters<typeof query>) => {
    queries += 1
    return query(...args)
  }) as typeof pool.query
  const { data, errors } = await bank.execute(
    `query ($references: [_Any!]!) { _entities(representations: $references) {
      ... on Agreement { agreementId party { displayName } } ... on Party { partyId } } }`,
    { references },
  )
  pool.query = query as typeof pool.query
  expect(errors).toEqual([])
  expect(data._entities).toHaveLength(100)
  expect(data._entities[49]).toEqual({
    agreementId: agreementIds[49],
    party: { displayName: 'Ada Lovelace' },
  })
  // Agreements, parties, and the parties of the agreements.
  expect(queries).toBeGreaterThan(0)
  expect(queries).toBeLessThanOrEqual(3)
})
