/**
 * Paging through a list during concurrent writes returns every record that existed at the start exactly
 * once, in one order, whatever the page size; a page token is valid only for its own request.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encryptPageToken } from '../../kernel/graph/page-token.ts'
import type { RestOptions } from '../kit/platform.ts'
import { aSampleBank, productWithFee, unique, type SampleBank } from './kit.ts'

interface Listing {
  path: string
  id: string
  shape: 'page' | 'array'
  /** A filter that matches some of the records. */
  filter: string
  make: (id: string) => string
}

const listings: readonly Listing[] = [
  {
    path: '/agreements',
    id: 'agreementId',
    shape: 'page',
    filter: 'partyId=pty_ada',
    make: (id) => `createAgreement(input: { agreementId: "${id}", partyId: "pty_ada",
      productCode: "current", agreementType: "current-account" }) { agreementId }`,
  },
  {
    path: '/accounts',
    id: 'arrangementId',
    shape: 'array',
    filter: 'customerId=cus_ada',
    make: (id) => `openAccountArrangement(input: { arrangementId: "${id}",
      customerId: "cus_ada", productId: "prd_current" }) { arrangementId }`,
  },
  {
    path: '/product-offers',
    id: 'offerId',
    shape: 'array',
    filter: 'productId=prd_current',
    make: (id) => `createProductOffer(input: { offerId: "${id}", productId: "prd_current",
      pricingQuoteId: "quo_current" }) { offerId }`,
  },
  {
    path: '/fee-runs',
    id: 'feeRunId',
    shape: 'page',
    filter: 'productId=prd_fees',
    make: () => `startFeeRun(input: { feeCode: "account", productId: "prd_fees",
      dryRun: true }) { feeRunId }`,
  },
]
const cases = listings.map((listing) => [listing.path, listing] as const)
const max = 23

let bank: SampleBank
const make = async ({ make, path }: Listing) => {
  const id = unique('id')
  await bank.act(`mutation { ${make(id)} }`)
  if (path === '/product-offers') {
    await bank.act(`mutation { publishProductOffer(offerId: "${id}") { offerId } }`)
  }
}

beforeAll(async () => {
  bank = await aSampleBank('live')
  await bank.act(productWithFee)
  for (const listing of listings) {
    // Concurrent creations share a millisecond, so that the order has ties to break.
    await Promise.all(Array.from({ length: max }, () => make(listing)))
  }
})
afterAll(() => bank.stop())

interface Page {
  ids: string[]
  next: string | undefined
}

async function read(listing: Listing, query: string, options?: RestOptions): Promise<Page> {
  const answer = await bank.rest('GET', `${listing.path}?${query}`, undefined, options)
  expect(answer.status, answer.text).toBe(200)
  const records: Record<string, string>[] =
    listing.shape === 'page' ? answer.body.items : answer.body
  const ids = records.map((record) => record[listing.id]!)
  return { ids, next: nextToken(listing, answer) }
}

function nextToken({ shape, path }: Listing, { body, headers }: { body: any; headers: Headers }) {
  const link = headers.get('link')
  if (shape === 'page') {
    expect(link).toBeNull()
    expect(Object.keys(body.pagination)).toEqual(
      'nextPageToken' in body.pagination ? ['pageSize', 'nextPageToken'] : ['pageSize'],
    )
    return body.pagination.nextPageToken as string | undefined
  }
  if (!link) return undefined
  const [, address, relation] = /^<([^>]+)>; rel="(\w+)"$/.exec(link)!
  expect(relation).toBe('next')
  expect(address!.startsWith(`${path}?`)).toBe(true)
  return new URL(address!, bank.url).searchParams.get('pageToken')!
}

/** Reads all pages. Page sizes are taken in turn from `sizes`; `between` runs after each page. */
async function walk(
  listing: Listing,
  sizes: readonly number[],
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const met: string[] = []
  for (let step = 0, token = ''; ; step++) {
    const pageSize = sizes[step % sizes.length]!
    const query = `pageSize=${pageSize}${token && `&pageToken=${encodeURIComponent(token)}`}`
    const { ids, next } = await read(listing, query)
    met.push(...ids)
    expect(ids.length).toBeLessThanOrEqual(pageSize)
    if (next === undefined) return met
    expect(ids).toHaveLength(pageSize)
    token = next
    await between()
  }
}

describe.each(cases)('paging of %s', (_path, listing) => {
  test('pages of 1 to 7 during concurrent writes return every existing record exactly once', async () => {
    const before = (await read(listing, 'pageSize=200')).ids
    expect(before.length).toBeGreaterThanOrEqual(max)
    let written = 0
    for (const size of [1, 2, 3, 4, 5, 6, 7]) {
      const write = async () => {
        // Bounded, because pages of one record would never reach the end.
        if (written++ % 5 === 0) await Promise.all([make(listing), make(listing)])
      }
      const met = await walk(listing, [size], write)
      expect(new Set(met).size, `pages of ${size}`).toBe(met.length)
      expect(met.filter((id) => before.includes(id))).toEqual(before)
    }
  })

  test('the page size may change from page to page', async () => {
    const all = (await read(listing, 'pageSize=200')).ids
    expect(await walk(listing, [1, 5, 2, 200])).toEqual(all)
  })

  test('a page that ends with the last record has no next page', async () => {
    const all = (await read(listing, 'pageSize=200')).ids
    const complete = await read(listing, `pageSize=${all.length}`)
    expect([complete.ids, complete.next]).toEqual([all, undefined])
    const short = await read(listing, `pageSize=${all.length - 1}`)
    expect(short.next).toEqual(expect.any(String))
  })

  test('the filter applies to every page', async () => {
    const { next } = await read(listing, `pageSize=1&${listing.filter}`)
    const second = await read(listing, `pageSize=1&${listing.filter}&pageToken=${next}`)
    expect(second.ids).toHaveLength(1)
  })

  test('rejects a page token that was altered or issued for another caller, list or filter', async () => {
    const { next } = await read(listing, 'pageSize=1')
    const other = listings.find((one) => one !== listing)!
    const swapped = next!.at(-3) === 'A' ? 'B' : 'A'
    const refused: [string, string, RestOptions?][] = [
      ['altered', `pageToken=${next!.slice(0, -3)}${swapped}${next!.slice(-2)}`],
      ['truncated', `pageToken=${next!.slice(0, -4)}`],
      ['extended', `pageToken=${next}AAAA`],
      ['with an unknown key id', `pageToken=zz.${next!.split('.')[1]}`],
      ['with a key id from a prototype', `pageToken=__proto__.${next!.split('.')[1]}`],
      ['empty', 'pageToken='],
      ['not a token', 'pageToken=next'],
      ['with NUL', 'pageToken=%00'],
      ['of 2,000 characters', `pageToken=${'a'.repeat(2000)}`],
      ['with another filter', `pageToken=${next}&${listing.filter}`],
      ['of another client', `pageToken=${next}`, { token: bank.token({ clientId: 'other' }) }],
      ['of another user', `pageToken=${next}`, { token: bank.token({ partyId: 'pty_ada' }) }],
      ['of another listing', `pageToken=${(await read(other, 'pageSize=1')).next}`],
    ]
    for (const [what, query, options] of refused) {
      const answer = await bank.rest('GET', `${listing.path}?${query}`, undefined, options)
      expect([answer.status, what], answer.text).toEqual([400, what])
      expect(['PAGE_TOKEN_INVALID', 'VALIDATION_FAILED']).toContain(answer.body.code)
      expect(answer.body.errors[0].parameter).toBe('pageToken')
    }
  })

  test('a page token expires after three days', async () => {
    const { next } = await read(listing, 'pageSize=1')
    const RealNow = Date.now
    const at = async (days: number) => {
      // Page tokens expire by the system clock; so do access tokens, hence the new one.
      Date.now = () => RealNow() + days * 86_400_000
      try {
        const [token, path] = [bank.token(), `${listing.path}?pageSize=1&pageToken=${next}`]
        return await bank.rest('GET', path, undefined, { token })
      } finally {
        Date.now = RealNow
      }
    }
    expect((await at(2.99)).status).toBe(200)
    const late = await at(3.01)
    expect([late.status, late.body.code]).toEqual([400, 'PAGE_TOKEN_EXPIRED'])
  })

  test('a page token does not reveal the sort key it holds', async () => {
    const { ids, next } = await read(listing, 'pageSize=1')
    const bytes = Buffer.from(next!.split('.')[1]!, 'base64url').toString('latin1')
    expect(bytes).not.toContain(ids[0])
    expect(next!.length).toBeLessThan(300)
  })
})

test('rejects a page token encrypted with an unknown key', async () => {
  const keys = { current: 'p1', keys: { p1: Buffer.alloc(32) } }
  const token = encryptPageToken(keys, 'agreements', ['2026-01-01', 'agr'], Date.now())
  const answer = await bank.rest('GET', `/agreements?pageToken=${token}`)
  expect([answer.status, answer.body.code]).toEqual([400, 'PAGE_TOKEN_INVALID'])
})
