/** Opening something for a customer or an account and ending that customer or account are mutually exclusive. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { interruptCommit } from '../kit/interrupted.ts'
import { aPlatform, type Platform, type RestAnswer } from '../kit/platform.ts'
import { runMutation } from './kit.ts'

let bank: Platform
let serial = 0
beforeAll(async () => {
  bank = await aPlatform('live', undefined, true)
  await mutate(`createProduct(input: { productId: "prd", name: "Current", productClass: "current-account",
    status: "active", version: "2026.1" }) { productId }`)
})
afterAll(() => bank.stop())

const mutate = (field: string) => runMutation(bank, field)
const attempt = (field: string) => bank.graph(`mutation { act: ${field} }`, {}, {})
const codeOf = ({ body }: RestAnswer): string => body.errors?.[0]?.extensions.code ?? 'done'

/** Creates an active customer and returns its number. */
async function aCustomer(): Promise<number> {
  const n = ++serial
  await mutate(`createParty(input: { partyId: "pty_${n}", kind: PERSON, givenName: "A",
    familyName: "B" }) { partyId }`)
  await mutate(`createCustomer(input: { customerId: "cus_${n}", partyId: "pty_${n}" }) { status }`)
  await mutate(`startKyc(customerId: "cus_${n}") { status }`)
  await mutate(`passKyc(customerId: "cus_${n}", expiresOn: "2999-12-31") { status }`)
  await mutate(`activateCustomer(customerId: "cus_${n}") { status }`)
  return n
}

const openAccount = (n: number, id = `arr_${n}`) => `openAccountArrangement(input: {
  arrangementId: "${id}", customerId: "cus_${n}", productId: "prd" }) { state }`
const openFacility = (n: number, settlement = '') => `openFacility(input: { facilityId: "fac_${n}",
  customerId: "cus_${n}", kind: REVOLVING, limit: { amount: "1000.00", currency: "EUR" }, ratePct: "6"
  ${settlement} }) { state }`
const over = (n: number) => openFacility(n, `settlementArrangementId: "arr_${n}"`)
const closeCustomer = (n: number) => `closeCustomer(customerId: "cus_${n}") { status }`
const endAccount = (n: number) =>
  `requestAccountArrangementClosure(arrangementId: "arr_${n}") { state }`
const recordDeath = (n: number) =>
  `recordDeath(partyId: "pty_${n}", diedOn: "2026-01-01") { status }`

const insertAccount = 'insert into accounts.arrangement'
const insertFacility = 'insert into lending.facility'

interface Pair {
  open: (n: number) => string
  end: (n: number) => string
  /** The code that rejects the end after the opening, and the opening after the end. */
  tooLate: string
  ended: string
  hasAccount?: boolean
  /** Text in the statement that commits the opening, and in the one that commits the end. */
  opens: string
  ends: string
}
const pairs: Record<string, Pair> = {
  'opening a facility and closing its customer': {
    open: (n) => openFacility(n),
    opens: insertFacility,
    end: closeCustomer,
    tooLate: 'RELATION_NOT_SETTLED',
    ended: 'CUSTOMER_NOT_ACTIVE',
    ends: 'update parties.customer',
  },
  'opening an account and closing its customer': {
    open: (n) => openAccount(n),
    opens: insertAccount,
    end: closeCustomer,
    tooLate: 'RELATION_NOT_SETTLED',
    ended: 'CUSTOMER_NOT_ACTIVE',
    ends: 'update parties.customer',
  },
  'opening a facility and closing its settlement account': {
    open: over,
    opens: insertFacility,
    end: endAccount,
    tooLate: 'SETTLEMENT_ACCOUNT_IN_USE',
    ended: 'ARRANGEMENT_CLOSED',
    hasAccount: true,
    ends: 'update accounts.arrangement',
  },
}

const before = (mark: string, action: () => Promise<unknown>) =>
  interruptCommit(bank.bank, mark, action)

describe.each(Object.entries(pairs))('%s', (_name, pair) => {
  const one = async () => {
    const n = await aCustomer()
    if (pair.hasAccount) await mutate(openAccount(n))
    return n
  }

  test('the first to commit succeeds, and the other is rejected', async () => {
    const n = await one()
    before(pair.ends, () => mutate(pair.open(n)))
    expect(codeOf(await attempt(pair.end(n)))).toBe(pair.tooLate)
    const m = await one()
    before(pair.opens, () => mutate(pair.end(m)))
    expect(codeOf(await attempt(pair.open(m)))).toBe(pair.ended)
  })

  test('exactly one of two concurrent requests succeeds', async () => {
    for (let round = 0; round < 6; round++) {
      const customers = await Promise.all([1, 2, 3, 4].map(() => one()))
      const outcomes = await Promise.all(
        customers.map(async (n, at) => {
          const request = [pair.open(n), pair.end(n)]
          const answers = await Promise.all(
            (at % 2 ? request.toReversed() : request).map((field) => attempt(field)),
          )
          return answers.map(codeOf).toSorted()
        }),
      )
      for (const [refusal, done] of outcomes) {
        expect([pair.tooLate, pair.ended]).toContain(refusal)
        expect(done).toBe('done')
      }
    }
  })
})

test('nothing is opened for a person whose death is recorded meanwhile', async () => {
  const a = await aCustomer()
  before(insertAccount, () => mutate(recordDeath(a)))
  expect(codeOf(await attempt(openAccount(a)))).toBe('PARTY_DECEASED')
  const f = await aCustomer()
  before(insertFacility, () => mutate(recordDeath(f)))
  expect(codeOf(await attempt(openFacility(f)))).toBe('PARTY_DECEASED')
})

test('concurrent openings for one customer do not conflict', async () => {
  const n = await aCustomer()
  const ids = Array.from({ length: 12 }, (_, at) => `arr_${n}_${at}`)
  const answers = await Promise.all(ids.map((id) => attempt(openAccount(n, id))))
  expect(answers.map(codeOf)).toEqual(ids.map(() => 'done'))
})
