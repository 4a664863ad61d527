import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SoftwarePasskey } from '../oauth/software-passkey.ts'
import { anApprovingBank, stop, type ApprovingBank } from './approval-kit.ts'

let bank: ApprovingBank
let passkey: SoftwarePasskey
/** A token of Ada after a log-in with a passkey just now. */
let recent: string
beforeAll(async () => {
  bank = await anApprovingBank()
}, 120_000)
beforeEach(async () => {
  passkey = await bank.aPasskeyOf('ada')
  await bank.pool.query('delete from payments.low_value_counter')
  await bank.pool.query('delete from kernel.approval')
  recent = tokenAfter(0)
})
afterAll(() => stop(bank))

const tokenAfter = (seconds: number, acr = 'urn:bankgraph:acr:passkey') =>
  bank.bank.forge({
    client_id: 'web',
    sub: 'ada',
    jti: crypto.randomUUID(),
    party_id: 'pty_ada',
    acr,
    auth_time: Math.floor(Date.now() / 1000) - seconds,
  })
const zuse = { iban: 'DE89370400440532013000', name: 'Konrad Zuse' }
const toGrace = { to: 'arr_grace_current' }
const withoutPasskey = () =>
  bank.pool.query(`update kernel.fact set data = '{"hasPasskey": false}'
    where subject = 'passkey-holder/pty_ada'`)

describe('Strong customer authentication applies to', () => {
  test('neither the bank and integrators, nor customers without a passkey', async () => {
    const payment = { ...toGrace, amount: '31.00' }
    expect((await bank.transfer(payment)).error.code).toBe('APPROVAL_REQUIRED')
    const asBank = await bank.transfer({ ...payment, token: bank.bank.token() })
    expect(asBank.data.state).toBe('SETTLED')
    await withoutPasskey()
    expect((await bank.transfer(payment)).data.state).toBe('SETTLED')
  })

  test('every customer if it is required', async () => {
    const { config } = bank.bank.bank
    await withoutPasskey()
    config.isStrongAuthenticationRequired = true
    const { error } = await bank.transfer({ ...toGrace, amount: '31.00' })
    config.isStrongAuthenticationRequired = false
    expect(error.code).toBe('APPROVAL_REQUIRED')
  })
})

describe('Exempt are', () => {
  test('payments between own accounts', async () => {
    const { data } = await bank.transfer({ to: 'arr_ada_savings', amount: '500.00' })
    expect(data.state).toBe('SETTLED')
  })

  test('five small payments, of which two that race do not count as one', async () => {
    const pay = (amount: string) => bank.transfer({ ...toGrace, amount })
    const made = await Promise.all(
      ['1.00', '1.00', '1.00', '1.00', '1.00', '1.00', '1.00'].map(pay),
    )
    expect(made.filter(({ data }) => data)).toHaveLength(5)
    const { error } = await pay('1.00')
    expect(error.code).toBe('APPROVAL_REQUIRED')
    await bank.approve(error.approvalUrl, passkey)
    expect((await pay('1.00')).data.state).toBe('SETTLED')
    // The approved payment starts a new series.
    expect((await pay('2.00')).data.state).toBe('SETTLED')
  })

  test('payments to a payee whom the customer trusts', async () => {
    const add = `addTrustedPayee(input: { creditorIban: "${zuse.iban}", name: "${zuse.name}" }) {
      trustedPayeeId status }`
    const { data } = await bank.mutate(add, { token: recent })
    const { trustedPayeeId } = data
    expect((await bank.transfer({ ...zuse, amount: '300.00' })).data.state).toBe('ACCEPTED')
    const list = `{ trustedPayees(status: ACTIVE) { nodes { trustedPayeeId name creditorIban } } }`
    const listed = await bank.bank.graph(list, {}, { token: bank.tokens.ada })
    const node = { trustedPayeeId, name: zuse.name, creditorIban: zuse.iban }
    expect(listed.body.data.trustedPayees.nodes).toEqual([node])
    const others = await bank.bank.graph(list, {}, { token: bank.tokens.grace })
    expect(others.body.data.trustedPayees.nodes).toEqual([])
    const remove = `removeTrustedPayee(trustedPayeeId: "${trustedPayeeId}") { status }`
    expect((await bank.mutate(remove)).error.code).toBe('INSUFFICIENT_USER_AUTHENTICATION')
    const foreign = await bank.mutate(remove, { token: bank.tokens.grace })
    expect(foreign.error.code).toBe('TRUSTED_PAYEE_NOT_FOUND')
    expect((await bank.mutate(remove, { token: recent })).data.status).toBe('REMOVED')
    const again = await bank.mutate(remove, { token: recent })
    expect(again.error.code).toBe('INVALID_STATE_TRANSITION')
    const { error } = await bank.transfer({ ...zuse, amount: '300.00' })
    expect(error.code).toBe('APPROVAL_REQUIRED')
  })
})

describe('A trusted payee', () => {
  const add = (input: string, token = recent) =>
    bank.mutate(`addTrustedPayee(input: { ${input} }) { trustedPayeeId }`, { token })
  const grace = 'creditorArrangementId: "arr_grace_current", name: "Grace"'

  test.each([
    ['a token without a log-in', () => bank.tokens.ada],
    ['a log-in with a password', () => tokenAfter(0, 'urn:bankgraph:acr:password')],
    ['a log-in with a passkey six minutes ago', () => tokenAfter(360)],
  ])('is not added with %s, and the response is a step-up challenge', async (_, tokenOf) => {
    const { error, headers } = await add(grace, tokenOf())
    expect(error).toMatchObject({
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      acrValues: ['urn:bankgraph:acr:passkey'],
      maxAgeSeconds: 300,
    })
    expect(headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_user_authentication", .*acr_values="urn:bankgraph:acr:passkey", max_age="300"/,
    )
  })

  test('is not added by the bank', async () => {
    const { error } = await add(grace, bank.bank.token())
    expect(error.code).toBe('NOT_FOR_THE_BANK')
  })

  test.each([
    ['two accounts', `${grace}, creditorIban: "${zuse.iban}"`, 'VALIDATION_FAILED'],
    ['a wrong IBAN', 'creditorIban: "DE00370400440532013000", name: "K"', 'INVALID_IBAN'],
    ['a long name', `creditorIban: "${zuse.iban}", name: "${'n'.repeat(71)}"`, 'VALIDATION_FAILED'],
  ])('is not added with %s', async (_, input, code) => {
    expect((await add(input)).error.code).toBe(code)
  })
})

describe('Approved by the customer are also', () => {
  test('standing orders, however small', async () => {
    const order = `createStandingOrder(input: { debtorArrangementId: "arr_ada_current",
      creditorArrangementId: "arr_grace_current", amount: { amount: "1.00", currency: "EUR" },
      frequency: MONTHLY, startsOn: "${new Date().toISOString().slice(0, 10)}" }) { state }`
    const { error } = await bank.mutate(order)
    expect(error.code).toBe('APPROVAL_REQUIRED')
    const { browser } = await bank.approve(error.approvalUrl, passkey)
    expect(browser.page).toContain('Approved')
    expect((await bank.mutate(order)).data).toEqual({ state: 'ACTIVE' })
    expect((await bank.mutate(order)).error.code).toBe('APPROVAL_REQUIRED')
  })

  test('drawdowns to an IBAN', async () => {
    const drawdown = (destination: string) =>
      bank.mutate(`createDrawdown(input: { facilityId: "fac_ada", amount: "100.00",
        destination: { ${destination} } }) { status }`)
    const external = `externalAccount: { iban: "${zuse.iban}", name: "Konrad" }`
    const { error } = await drawdown(external)
    expect(error.code).toBe('APPROVAL_REQUIRED')
    const page = await bank.openApproval(error.approvalUrl)
    expect(page.page).toContain('<dd>fac_ada</dd>')
    await bank.approve(error.approvalUrl, passkey)
    expect((await drawdown(external)).error).toBeUndefined()
    expect((await drawdown('arrangementId: "arr_ada_current"')).error).toBeUndefined()
  })

  test('loans: the terms are accepted over REST after the approval of exactly these terms', async () => {
    const body = { acceptedAt: new Date().toISOString(), acceptanceChannel: 'app' }
    const path = '/v1/consumer-loan-applications/app_approved/acceptance'
    const options = { token: bank.tokens.ada, key: 'k-accept' }
    const accept = () => bank.bank.rest('POST', path, body, options)
    const first = await accept()
    expect([first.status, first.body.code]).toEqual([403, 'APPROVAL_REQUIRED'])
    const { page } = await bank.openApproval(first.body.approvalUrl)
    expect(page).toContain('<dd>app_approved</dd>')
    expect(page).toContain('Interest rate per year')
    expect((await bank.approve(first.body.approvalUrl, passkey)).isApproved).toBe(true)
    const changeRate = (ratePct: string) =>
      bank.pool.query(
        `update origination.loan_application set approved_terms = jsonb_set(approved_terms, '{ratePct}', $1)
         where application_id = 'app_approved' returning approved_terms`,
        [JSON.stringify(ratePct)],
      )
    const { rows } = await bank.pool.query(
      `select approved_terms ->> 'ratePct' as rate from origination.loan_application
       where application_id = 'app_approved'`,
    )
    await changeRate('19.9')
    expect((await accept()).body.code).toBe('APPROVAL_REQUIRED')
    await changeRate(rows[0].rate)
    const second = await accept()
    expect([second.status, second.body.status]).toEqual([200, 'accepted'])
  })
})

test('a customer posts transfers between own accounts only', async () => {
  const post = (creditor: string) =>
    bank.mutate(`createPostingInstruction(input: { type: TRANSFER, debtorArrangementId: "arr_ada_current",
      creditorArrangementId: "${creditor}", amount: "1.00" }) { status }`)
  expect((await post('arr_grace_current')).error.code).toBe('APPROVAL_REQUIRED')
  expect((await post('arr_ada_savings')).data).toEqual({ status: 'ACCEPTED' })
})

test('Addresses of a customer change only after a recent log-in with a passkey', async () => {
  const address = 'channel: EMAIL, address: "new@example.org"'
  const add = `addContactPoint(partyId: "pty_ada", contactPoint: { ${address} }) { partyId }`
  const remove = `removeContactPoint(partyId: "pty_ada", ${address}) { partyId }`
  for (const change of [add, remove]) {
    expect((await bank.mutate(change)).error.code).toBe('INSUFFICIENT_USER_AUTHENTICATION')
    expect((await bank.mutate(change, { token: recent })).data.partyId).toBe('pty_ada')
  }
})

describe('A right to pay from an account', () => {
  const grant = (right: string, token = bank.tokens.ada) =>
    bank.mutate(
      `grantEntitlement(input: { grantorPartyId: "pty_ada", granteePartyId: "pty_grace",
        resource: "arrangement/arr_ada_current", right: ${right} }) { entitlementId status }`,
      { token },
    )

  test.each(['TRANSFER', 'MANAGE'])(
    '%s is granted only after a recent log-in with a passkey',
    async (right) => {
      expect((await grant(right)).error.code).toBe('INSUFFICIENT_USER_AUTHENTICATION')
      expect((await grant(right, tokenAfter(360))).error.code).toBe(
        'INSUFFICIENT_USER_AUTHENTICATION',
      )
      const { data } = await grant(right, recent)
      expect(data.status).toBe('ACTIVE')
      await bank.mutate(`revokeEntitlement(entitlementId: "${data.entitlementId}") { status }`)
    },
  )

  test('does not let the grantee pay without an approval that the grantor would need', async () => {
    await grant('TRANSFER', recent)
    const payment = { token: bank.tokens.grace, ...zuse, amount: '31.00' }
    const { error } = await bank.transfer(payment)
    expect(error.code).toBe('APPROVAL_REQUIRED')
    const withoutPasskeys = await bank.openApproval(error.approvalUrl, 'grace')
    expect(withoutPasskeys.page).toContain('/oauth/passkeys')
    const graces = await bank.aPasskeyOf('grace')
    expect((await bank.approve(error.approvalUrl, graces, {}, 'grace')).isApproved).toBe(true)
    expect((await bank.transfer(payment)).data.state).toBe('ACCEPTED')
    await bank.pool.query("delete from oauth.passkey where username = 'grace'")
    await bank.pool.query("delete from kernel.fact where subject = 'passkey-holder/pty_grace'")
  })

  test('is granted by the bank, and by a customer without a passkey, as before', async () => {
    expect((await grant('TRANSFER', bank.bank.token())).data.status).toBe('ACTIVE')
    await withoutPasskey()
    expect((await grant('TRANSFER')).data.status).toBe('ACTIVE')
  })

  test('does not include the right to see the account, which needs no passkey', async () => {
    expect((await grant('VIEW')).data.status).toBe('ACTIVE')
  })
})
