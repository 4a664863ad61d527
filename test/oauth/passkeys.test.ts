import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aPasskeyServer, type Passkeys, type Someone } from './passkey-kit.ts'
import { hasBrowser } from '../kit/browser.ts'

type Tokens = Extract<
  Awaited<ReturnType<Awaited<ReturnType<Someone['authorize']>>>>,
  { error: null }
>

let bank: Passkeys
const people: Someone[] = []

async function aPerson(username?: string) {
  const person = await bank.person(username)
  people.push(person)
  return person
}

describe.skipIf(!hasBrowser)('Passkeys in a browser', () => {
  beforeAll(async () => {
    bank = await aPasskeyServer()
  })
  afterEach(async () => {
    await Promise.all(people.splice(0).map((person) => person.close()))
    await bank.server.pool.query('delete from oauth.passkey')
    await bank.server.pool.query('delete from oauth.failed_attempt')
    bank.server.failedLogIns.length = 0
  })
  afterAll(async () => {
    expect(bank.server.failures).toEqual([])
    await bank.stop()
  })

  const factOf = async (partyId: string) => {
    const { rows } = await bank.server.pool.query(
      'select data from kernel.fact where subject = $1',
      [`passkey-holder/${partyId}`],
    )
    return rows[0]?.data
  }

  test('a person registers a passkey, logs in with it, and the token says so', async () => {
    const ada = await aPerson()
    await ada.openPasskeys()
    expect(await ada.page.getByText('You have no passkey yet.').count()).toBe(1)
    await ada.register('Phone <1>')
    expect(await factOf('pty_ada')).toEqual({ hasPasskey: true })
    const finish = await ada.authorize({ prompt: 'login' })
    await ada.logInWithPasskey()
    const { claims, caller, refreshToken } = (await finish()) as Tokens
    expect(claims).toMatchObject({
      sub: 'ada',
      acr: 'urn:bankgraph:acr:passkey',
      amr: ['pop', 'user', 'mfa'],
    })
    const authTime = claims['auth_time'] as number
    expect(Date.now() / 1000 - authTime).toBeLessThan(60)
    expect(caller).toMatchObject({ acr: claims['acr'], authenticatedAt: authTime * 1000 })
    const renewed = await bank.refresh(refreshToken)
    expect(renewed.claims).toMatchObject({ acr: claims['acr'], auth_time: authTime })
  })

  test('a log-in with a password gives the class of a password', async () => {
    const ada = await aPerson()
    const finish = await ada.authorize()
    await ada.logInWithPassword()
    const { claims } = (await finish()) as Tokens
    expect(claims).toMatchObject({ acr: 'urn:bankgraph:acr:password', amr: ['pwd'] })
  })

  test('acr_values requires a passkey: a session with a password must step up', async () => {
    const ada = await aPerson()
    await ada.openPasskeys()
    await ada.register()
    // The session of the registration used the password, and no new log-in is needed for it.
    const weak = (await (await ada.authorize())()) as Tokens
    expect(weak.claims['acr']).toBe('urn:bankgraph:acr:password')
    const finish = await ada.authorize({ acr_values: 'urn:bankgraph:acr:passkey' })
    expect(await ada.page.getByLabel('Password').count()).toBe(0)
    await ada.logInWithPasskey()
    const { claims } = (await finish()) as Tokens
    expect(claims['acr']).toBe('urn:bankgraph:acr:passkey')
    const either = 'urn:bankgraph:acr:password urn:bankgraph:acr:passkey'
    const again = (await (await ada.authorize({ acr_values: either }))()) as Tokens
    expect(again.claims['acr']).toBe('urn:bankgraph:acr:passkey')
  })

  test('a password does not do where a passkey is required, and canceling is reported', async () => {
    const ada = await aPerson()
    const finish = await ada.authorize({ acr_values: 'urn:bankgraph:acr:passkey' })
    await ada.page.evaluate(() => {
      const form = document.forms[0]!
      form.removeAttribute('data-passkey')
      form.innerHTML =
        '<input name="username" value="ada"><input name="password" value="correct horse battery staple">'
      HTMLFormElement.prototype.submit.call(form)
    })
    await ada.page.getByText('This step needs a passkey.').waitFor()
    await ada.page.getByRole('button', { name: 'Cancel' }).click()
    expect(await finish()).toEqual({ error: 'unmet_authentication_requirements' })
  })

  test('a class that the server does not know, and prompt=none without a passkey, are rejected', async () => {
    const ada = await aPerson()
    const unknown = await (await ada.authorize({ acr_values: 'urn:example:palm' }))()
    expect(unknown).toEqual({ error: 'unmet_authentication_requirements' })
    const log = await ada.authorize()
    await ada.logInWithPassword()
    await log()
    const acrValues = 'urn:bankgraph:acr:passkey'
    const silent = await (await ada.authorize({ acr_values: acrValues, prompt: 'none' }))()
    expect(silent).toEqual({ error: 'unmet_authentication_requirements' })
  })

  test('a person who has a passkey changes passkeys only with it', async () => {
    const ada = await aPerson()
    await ada.openPasskeys()
    await ada.register()
    const thief = await aPerson()
    await thief.page.goto(`${bank.issuer}/oauth/passkeys`)
    await thief.logInWithPassword()
    await thief.page.getByText('This step needs your passkey.').waitFor()
    await thief.page.getByRole('button', { name: 'Cancel' }).click()
    await thief.page.getByText('This page needs a new log-in.').waitFor()
  })

  test('a removed passkey cannot be used in the same session, and nothing is revoked', async () => {
    const ada = await aPerson()
    await ada.openPasskeys()
    await ada.register()
    await ada.openPasskeys(ada.logInWithPasskey)
    await ada.page.getByRole('button', { name: 'Remove' }).click()
    await ada.page.getByText('The passkey is removed').waitFor()
    expect(await factOf('pty_ada')).toEqual({ hasPasskey: false })
    const tokens = (await (await ada.authorize())()) as Tokens
    expect(tokens.claims['acr']).toBe('urn:bankgraph:acr:passkey')
    await ada.authorize({ acr_values: 'urn:bankgraph:acr:passkey', max_age: '0' })
    await ada.logInWithPasskey()
    expect(await ada.alert()).toBe('The passkey was not accepted. Try again.')
    expect(bank.server.failedLogIns).toEqual([
      { kind: 'person', name: null, partyId: null, isThrottled: false, count: 1 },
    ])
  })

  test('changing passkeys needs a log-in of the last five minutes', async () => {
    const ada = await aPerson()
    await ada.openPasskeys()
    await bank.server.pool.query(
      `update oauth.record set payload = jsonb_set(payload, '{loginTs}',
         to_jsonb((payload ->> 'loginTs')::bigint - 301)) where model = 'Session'`,
    )
    await ada.page.goto(`${bank.issuer}/oauth/passkeys`)
    await ada.page.getByLabel('Password').waitFor()
  })
})
