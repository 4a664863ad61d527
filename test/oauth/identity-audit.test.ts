/** What people, clients and administrators do is in the audit of identity, exactly once each. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, eventually, secrets } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'
import { aStaffedBank, type StaffedBank } from './staff-kit.ts'

const password = 'a walk by the sea'
let kit: StaffedBank
beforeAll(async () => {
  kit = await aStaffedBank()
})
afterAll(() => kit.bank.stop())

interface Found {
  person: string | null
  kind: string
  outcome: string
  actor: string | null
  clientId: string | null
  partyId: string | null
  grantId: string | null
  address: string | null
  userAgent: string | null
  requestId: string | null
  detail: string | null
  count: number
}

const fields = `kind outcome person partyId clientId actor address userAgent grantId detail count requestId`

/** The records that match, oldest first, once there are this many. */
const recordsOf = (filter: string, count: number): Promise<Found[]> =>
  eventually(async () => {
    const query = `{ identityRecords(first: 200, ${filter}) { nodes { ${fields} } } }`
    const { body } = await kit.bank.graph(query)
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    const nodes = body.data.identityRecords.nodes as Found[]
    const isThere = nodes.length >= count
    return (
      isThere &&
      nodes
        .map((each) => ({ ...each, kind: wireOf(each.kind), outcome: wireOf(each.outcome) }))
        .reverse()
    )
  }, 10_000)
const kindsOf = (records: Found[]) => records.map(({ kind, outcome }) => `${kind} ${outcome}`)
/** The spelling of the events and the metrics. */
const wireOf = (name: string) => name.toLowerCase().replaceAll('_', '-')

const tokenRequest = (form: Record<string, string>, headers = {}, path = 'token') =>
  fetch(`${kit.bank.url}/oauth/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  })
const signature = (token: string) => token.split('.')[2]!

test('the life of an employee is recorded once per step, without a secret', async () => {
  await kit.hired('rita', 'TELLER')
  await kit.approve('rita')
  const code = await kit.issueCode('rita')
  const headers = { 'user-agent': 'Test browser', 'x-request-id': 'set-password-1' }
  await kit.setPassword({ username: 'rita', code: 'a wrong code', password }, headers)
  await kit.setPassword({ username: 'rita', code, password }, headers)
  const wrong = 'not the password of rita'
  await kit.staffLogIn('rita', { password: wrong }, new ABrowser())
  const client = kit.theConsole().client_id
  const browser = new ABrowser({ 'user-agent': 'Test browser' })
  const { tokens, at } = await kit.staffLogIn('rita', { password }, browser)
  const refreshed = await kit.refresh(tokens!.refreshToken)
  await browser.visit(new URL('/oauth/logout', kit.bank.url))
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(browser.page)![1]!
  await browser.visit(new URL('/oauth/logout/confirm', kit.bank.url), { xsrf, logout: 'yes' })
  await kit.change('suspendEmployee(employeeId: "emp_rita", reason: "A test.")', kit.manager)
  // Nobody with this name had a password when the first code was wrong.
  const records = await recordsOf('person: "rita"', 13)
  expect(new Set(kindsOf(records))).toEqual(
    new Set([
      'employee-hiring succeeded',
      'role-approval succeeded',
      'log-in-code-request succeeded',
      'log-in-code-issuance succeeded',
      'password-change succeeded',
      'log-in failed',
      'log-in succeeded',
      'authorization succeeded',
      'token-issuance succeeded',
      'log-out succeeded',
      'grant-revocation succeeded',
      'employee-suspension succeeded',
    ]),
  )
  const tokenRecords = records.filter(({ kind }) => kind === 'token-issuance')
  expect(tokenRecords.map(({ detail }) => detail)).toEqual(['authorization_code', 'refresh_token'])
  expect(records).toHaveLength(13)
  const named = (kind: string) => records.find((each) => each.kind === kind)!
  expect(named('employee-hiring')).toMatchObject({ actor: 'manager', detail: 'teller' })
  expect(named('role-approval')).toMatchObject({ actor: 'second-person', address: null })
  expect(named('password-change')).toMatchObject({
    actor: 'rita',
    address: '127.0.0.1',
    userAgent: 'Test browser',
    requestId: 'set-password-1',
  })
  const login = records.find((each) => each.kind === 'log-in' && each.outcome === 'succeeded')!
  expect(login).toMatchObject({ clientId: client, address: '127.0.0.1', userAgent: 'Test browser' })
  expect(login.requestId).toMatch(/^[0-9a-f-]{36}$/)
  const grantId = tokens!.claims!['grant_id']
  for (const kind of ['authorization', 'token-issuance', 'grant-revocation'])
    expect(named(kind)).toMatchObject({ grantId, clientId: client })
  await expectNowhere([
    code,
    password,
    wrong,
    'a wrong code',
    at.searchParams.get('code')!,
    tokens!.refreshToken,
    refreshed.refreshToken,
    xsrf,
    ...[tokens!.token, refreshed.token].map(signature),
    ...browser.cookieValues,
  ])
})

/** Checks that no record and no event about one contains any of the texts. */
async function expectNowhere(texts: readonly string[]): Promise<void> {
  const { rows } = await kit.bank.bank.pool.query<{ text: string }>(
    `select r::text as text from kernel.identity_record r
     union all select c.record_ids::text from kernel.identity_checkpoint c
     union all select e::text from kernel.event e where type = 'operations.identity-record.created'`,
  )
  expect(rows.length).toBeGreaterThan(20)
  const everything = rows.map(({ text }) => text).join('\n')
  for (const text of texts) {
    expect(text.length).toBeGreaterThan(8)
    expect(everything).not.toContain(text)
  }
}

test('a customer logs in, denies and gives consent, and the client revokes the grant', async () => {
  const { client_id: clientId, redirect_uris: uris } = kit.theWebApp()
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const url = kit.authorizeUrl(kit.theWebApp(), challenge, 'accounts:read')
  const { username, password: known, partyId } = ada
  const browser = new ABrowser()
  await browser.through(url, [{ username, password: known }, { decision: 'deny' }])
  const at = await browser.through(url, [{ decision: 'allow' }])
  const code = at.searchParams.get('code')!
  const form = { client_id: clientId, redirect_uri: uris[0]!, code, code_verifier: verifier }
  const answer = await tokenRequest({ grant_type: 'authorization_code', ...form })
  const tokens = (await answer.json()) as Record<string, string>
  const records = await recordsOf(`person: "${username}"`, 5)
  expect(kindsOf(records)).toEqual([
    'log-in succeeded',
    'consent denied',
    'consent succeeded',
    'authorization succeeded',
    'token-issuance succeeded',
  ])
  for (const each of records) expect(each).toMatchObject({ partyId, clientId, count: 1 })
  expect(records[2]).toMatchObject({ actor: username, detail: 'accounts:read' })
  const { grantId } = records[2]!
  expect(records[4]).toMatchObject({ actor: clientId, grantId, detail: 'authorization_code' })
  // A stolen code is used again, which revokes the grant once; then the client revokes it in vain.
  await tokenRequest({ grant_type: 'authorization_code', ...form })
  const revocation = { client_id: clientId, token: tokens['refresh_token']! }
  await tokenRequest(revocation, {}, 'revoke')
  for (let at = 0; at < 2; at++)
    await tokenRequest({ client_id: clientId, token: tokens['access_token']! }, {}, 'revoke')
  const after = (await recordsOf(`clientId: "${clientId}"`, 8)).slice(5)
  expect(kindsOf(after).sort()).toEqual([
    'grant-revocation succeeded',
    'token-issuance failed',
    'token-revocation succeeded',
  ])
  const revoked = after.find(({ kind }) => kind === 'grant-revocation')
  expect(revoked).toMatchObject({ person: username, partyId, grantId, actor: clientId })
  expect(after.find(({ kind }) => kind === 'token-revocation')).toMatchObject({
    person: username,
    partyId,
    grantId,
    actor: clientId,
  })
  expect(after.find(({ outcome }) => outcome === 'failed')).toMatchObject({
    detail: 'invalid_grant',
    actor: clientId,
  })
  await expectNowhere([known, code, verifier, tokens['refresh_token']!, ...browser.cookieValues])
})

test('clients are recorded: tokens, wrong secrets, and delays', async () => {
  const { clientId, clientSecret } = secrets
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
  })
  const form = { grant_type: 'client_credentials' }
  const own = await (await tokenRequest(form, basic(clientSecret))).json()
  await tokenRequest({ ...form, scope: 'no:scope' }, basic(clientSecret))
  for (let at = 0; at < 14; at++) await tokenRequest(form, basic('wrong-secret-of-client'))
  await tokenRequest(
    { token: (own as Record<string, string>)['access_token']! },
    basic(clientSecret),
    'revoke',
  )
  const records = await recordsOf(`clientId: "${clientId}"`, 5)
  expect(kindsOf(records)).toEqual([
    'token-issuance succeeded',
    'token-issuance failed',
    'client-authentication failed',
    'client-authentication throttled',
    'token-revocation succeeded',
  ])
  expect(records.map(({ actor }) => actor)).toEqual([clientId, clientId, null, null, clientId])
  expect(records[0]).toMatchObject({ detail: 'client_credentials', partyId: null })
  expect(records[1]).toMatchObject({ detail: 'invalid_scope' })
  await expectNowhere([clientSecret, 'wrong-secret-of-client'])
})

test('guessing is recorded as failures and delays, without unknown names', async () => {
  const typed = 'my password in the wrong field'
  for (let at = 0; at < 8; at++) {
    await kit.staffLogIn('carl', { password: 'a wild guess' })
    await kit.staffLogIn('carl', { username: typed, password: 'a wild guess' })
  }
  const records = await recordsOf('person: "carl"', 2)
  expect(kindsOf(records)).toEqual(['log-in failed', 'log-in throttled'])
  expect(records[0]).toMatchObject({ actor: null, count: 1, address: '127.0.0.1' })
  await expectNowhere([typed, 'a wild guess'])
})

test('employees of the bank who try to log in to another app are recorded', async () => {
  await kit.hired('tina', 'TELLER')
  await kit.approve('tina')
  await kit.staffLogIn('tina', { client: kit.theWebApp() })
  const records = await recordsOf('person: "tina", kind: LOG_IN', 1)
  expect(kindsOf(records)).toEqual(['log-in denied'])
})

test('the key that signs tokens is recorded once, and the chain of all records is intact', async () => {
  const records = await recordsOf('kind: SIGNING_KEY_ROTATION', 1)
  expect(records).toMatchObject([{ detail: secrets.signingJwk.kid, actor: 'bankgraph' }])
  const verified = await eventually(async () => {
    const { body } = await kit.bank.graph(
      `{ verifyIdentityRecords { isIntact linesChecked recordId detail }
        identityRecords(first: 200) { nodes { recordId } } }`,
    )
    const { verifyIdentityRecords: found, identityRecords: listed } = body.data
    return found.linesChecked === listed.nodes.length && found
  }, 10_000)
  expect(verified).toMatchObject({ isIntact: true, recordId: null, detail: null })
})

test('the metrics count log-ins by outcome', async () => {
  const { text } = await kit.bank.rest('GET', '/metrics')
  const valueOf = (labels: string) =>
    Number(
      new RegExp(`^identity_records_total\\{${labels},environment="\\w+"\\} (\\d+)$`, 'm').exec(
        text,
      )?.[1],
    )
  expect(valueOf('kind="log-in",outcome="succeeded"')).toBe(2)
  expect(valueOf('kind="log-in",outcome="throttled"')).toBeGreaterThanOrEqual(1)
  expect(valueOf('kind="client-authentication",outcome="failed"')).toBeGreaterThanOrEqual(10)
  expect(valueOf('kind="grant-revocation",outcome="succeeded"')).toBe(2)
})
