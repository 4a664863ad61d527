import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SoftwarePasskey } from '../oauth/software-passkey.ts'
import { optionsIn } from '../oauth/software-passkey.ts'
import { anApprovingBank, stop, type ApprovingBank } from './approval-kit.ts'

let bank: ApprovingBank
let passkey: SoftwarePasskey
beforeAll(async () => {
  bank = await anApprovingBank()
}, 120_000)
beforeEach(async () => {
  passkey = await bank.aPasskeyOf('ada')
  await bank.pool.query('delete from payments.low_value_counter')
  await bank.pool.query('delete from oauth.failed_attempt')
  await bank.pool.query('delete from kernel.approval')
})
afterAll(() => stop(bank))

const toGrace = { to: 'arr_grace_current' }

/** Orders a payment that must be approved. Returns the page of the approval. */
async function refused(amount: string, more: object = {}): Promise<string> {
  const { error } = await bank.transfer({ ...toGrace, amount, ...more })
  expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', retryable: false })
  expect(error.approvalUrl).toBe(`${bank.bank.url}/oauth/approve/${error.approvalId}`)
  return error.approvalUrl as string
}

test('a payment is approved on a page that shows amount and payee, and then made once', async () => {
  const url = await refused('40.00', { name: 'Grace <b>' })
  expect(await refused('40.00', { name: 'Grace <b>' })).toBe(url)
  const { page } = await bank.openApproval(url)
  expect(page).toContain('<dd>40.00 EUR</dd>')
  expect(page).toContain('<dd>Grace &#60;b&#62;</dd>')
  expect(page).toContain('<dd>arr_grace_current</dd>')
  expect((await bank.approve(url, passkey)).isApproved).toBe(true)
  const { rows } = await bank.pool.query(
    "select person, outcome, address from kernel.identity_record where kind = 'approval' and detail = $1",
    [url.split('/').at(-1)],
  )
  expect(rows).toEqual([{ person: 'ada', outcome: 'succeeded', address: '127.0.0.1' }])
  const { data } = await bank.transfer({ ...toGrace, amount: '40.00', name: 'Grace <b>' })
  expect(data.state).toBe('SETTLED')
  await refused('40.00', { name: 'Grace <b>' })
})

test('the same idempotency key and payment ID are used before and after the approval', async () => {
  const order = { ...toGrace, amount: '41.00', key: 'k-approve', paymentId: 'pay_approved' }
  const { error } = await bank.transfer(order)
  await bank.approve(error.approvalUrl, passkey)
  const first = await bank.transfer(order)
  expect(first.data).toEqual({ paymentId: 'pay_approved', state: 'SETTLED' })
  const replay = await bank.transfer(order)
  expect(replay.data).toEqual(first.data)
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
})

describe('An approval does not cover', () => {
  test.each([
    ['another amount', { ...toGrace, amount: '42.01' }],
    ['another payee', { iban: 'DE89370400440532013000', name: 'Grace', amount: '42.00' }],
    ['another name of the payee', { ...toGrace, amount: '42.00', name: 'Grace Hopper' }],
  ])('%s', async (_, changed) => {
    const url = await refused('42.00')
    expect((await bank.approve(url, passkey)).isApproved).toBe(true)
    const { data, error } = await bank.transfer(changed)
    expect(data).toBeFalsy()
    expect(error.code).toBe('APPROVAL_REQUIRED')
    // The approved payment itself is still possible.
    expect((await bank.transfer({ ...toGrace, amount: '42.00' })).data.state).toBe('SETTLED')
  })
})

test('another date than the approved one needs another approval', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const later = `createTransfer(input: { debtorArrangementId: "arr_ada_current",
    creditorArrangementId: "arr_grace_current", executionDate: "${tomorrow}",
    amount: { amount: "43.00", currency: "EUR" } }) { state }`
  const { error } = await bank.mutate(later)
  expect((await bank.openApproval(error.approvalUrl)).page).toContain(`<dd>${tomorrow}</dd>`)
  await bank.approve(error.approvalUrl, passkey)
  await refused('43.00')
  expect((await bank.mutate(later)).data).toEqual({ state: 'SCHEDULED' })
})

test('of two payments that race for one approval, one is made', async () => {
  for (let round = 0; round < 5; round++) {
    const url = await refused('44.00')
    await bank.approve(url, passkey)
    const orders = [1, 2, 3].map(() => bank.transfer({ ...toGrace, amount: '44.00' }))
    const results = await Promise.all(orders)
    expect(results.filter(({ data }) => data?.state === 'SETTLED')).toHaveLength(1)
    expect(results.filter(({ error }) => error?.code === 'APPROVAL_REQUIRED')).toHaveLength(2)
  }
})

describe('The page of an approval', () => {
  test('is for nobody but the person of the party', async () => {
    const url = await refused('45.00')
    const browser = await bank.openApproval(url, 'grace')
    expect(browser.status).toBe(404)
    expect(browser.page).not.toContain('45.00')
  })

  test('does not accept the passkey of another person', async () => {
    const graces = await bank.aPasskeyOf('grace')
    const url = await refused('46.00')
    expect((await bank.approve(url, graces)).isApproved).toBe(false)
    await refused('46.00')
  })

  test.each([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['without verification of the person', { isUserVerified: false }],
  ])('does not accept a response %s', async (_, changes) => {
    const url = await refused('47.00')
    const { browser, isApproved } = await bank.approve(url, passkey, changes)
    expect([isApproved, browser.status]).toEqual([false, 422])
    await refused('47.00')
  })

  test('does not accept the response to the approval of another payment', async () => {
    const small = await refused('48.00')
    const large = await refused('4800.00')
    const { page } = await bank.openApproval(small)
    const browser = await bank.openApproval(large)
    const credential = passkey.use(optionsIn(page))
    await browser.submit({ credential })
    expect(browser.status).toBe(422)
    await refused('4800.00')
  })

  test('does not accept a response twice', async () => {
    const url = await refused('49.00')
    const { credential, isApproved } = await bank.approve(url, passkey)
    expect(isApproved).toBe(true)
    expect((await bank.transfer({ ...toGrace, amount: '49.00' })).data.state).toBe('SETTLED')
    const again = await bank.openApproval(await refused('49.00'))
    await again.submit({ credential })
    expect(again.status).toBe(422)
    const used = await bank.openApproval(url)
    expect(used.page).toContain('There is nothing to approve')
  })

  test('delays guessing, like the log-in', async () => {
    const url = await refused('51.00')
    const browser = await bank.openApproval(url)
    const wrong = passkey.use(optionsIn(browser.page), { isUserVerified: false })
    for (let tries = 0; tries < 5; tries++) await browser.submit({ credential: wrong })
    expect(browser.status).toBe(422)
    await browser.submit({ credential: passkey.use(optionsIn(browser.page)) })
    expect(browser.status).toBe(429)
    await refused('51.00')
  })

  test('expires after five minutes, before and after the approval', async () => {
    const expire = () => bank.pool.query('update kernel.approval set expires_at = now()')
    const url = await refused('50.00')
    const browser = await bank.openApproval(url)
    const credential = passkey.use(optionsIn(browser.page))
    await expire()
    await browser.submit({ credential })
    expect(browser.status).toBe(404)
    const next = await refused('50.00')
    expect(next).not.toBe(url)
    expect((await bank.approve(next, passkey)).isApproved).toBe(true)
    await expire()
    await refused('50.00')
  })
})
