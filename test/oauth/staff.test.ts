/** Employees: log-in with the rights of their roles, which follow every change of the roles. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleClient, webClient } from '../../host/secrets.ts'
import { sandboxStaff } from '../../host/staff.ts'
import { delegableScopes, everyScope } from '../../kernel/domain/scopes.ts'
import { scopesOf } from '../../subgraphs/staff/domain/roles.ts'
import { aPlatform, ada, eventually, secrets, type Platform } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'

let bank: Platform
let manager: string
let second: string
beforeAll(async () => {
  bank = await aPlatform('sandbox')
  manager = bank.token({ clientId: 'manager' })
  second = bank.token({ clientId: 'second-person' })
})
afterAll(() => bank.stop())

const passwords = new Map(
  sandboxStaff(secrets.cookieKey).map(({ username, password }) => [username, password]),
)

async function change(mutation: string, token: string) {
  const { body } = await bank.graph(`mutation { ${mutation} { employeeId } }`, {}, { token })
  if (body.errors) throw new Error(JSON.stringify(body.errors))
}
async function hired(username: string, roles: string) {
  const input = `{ employeeId: "emp_${username}", username: "${username}", name: "N", roles: [${roles}] }`
  await change(`hireEmployee(input: ${input})`, manager)
}
const approve = (username: string) =>
  change(`approveEmployee(employeeId: "emp_${username}")`, second)

const theConsole = () => consoleClient(bank.url)
const theWebApp = () => webClient(['http://127.0.0.1:3000'])

interface LogIn {
  username: string
  password: string
  client?: { client_id: string; redirect_uris: string[] }
  scope?: string
}

/** Logs in through the pages, and returns the browser at its last page and the tokens. */
async function logIn({ username, password, client = theConsole(), scope }: LogIn) {
  const verifier = randomBytes(32).toString('base64url')
  const [redirectUri] = client.redirect_uris
  const url = new URL('/oauth/authorize', bank.url)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri!,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scope && { scope }),
  }).toString()
  const browser = new ABrowser()
  await browser.visit(url)
  const at = await browser.submit({ username, password })
  const consent = browser.page
  const code =
    at.searchParams.get('code') ??
    (client.client_id === 'bankgraph-web'
      ? (await browser.submit({ decision: 'allow' })).searchParams.get('code')
      : null)
  if (!code) return { browser, at, consent }
  const tokens = await tokenRequest({
    grant_type: 'authorization_code',
    client_id: client.client_id,
    redirect_uri: redirectUri!,
    code_verifier: verifier,
    code,
  })
  return { browser, at, consent, tokens }
}

async function tokenRequest(form: Record<string, string>) {
  const answer = await fetch(`${bank.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const {
    access_token: token,
    refresh_token: refreshToken,
    error,
  } = (await answer.json()) as {
    access_token: string
    refresh_token: string
    error?: string
  }
  return { token, refreshToken, error, claims: token ? claimsOf(token) : undefined }
}
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, any>
const refresh = (refreshToken: string) =>
  tokenRequest({
    grant_type: 'refresh_token',
    client_id: 'bankgraph-console',
    refresh_token: refreshToken,
  })
const staffLogIn = (username: string, more: Partial<LogIn> = {}) =>
  logIn({ username, password: passwords.get(username)!, ...more })
const statusOf = async (token: string | undefined) =>
  token &&
  (await bank.graph('{ products(first: 1) { nodes { productId } } }', {}, { token })).status

test('an employee logs in to the console without consent, with the scopes of the roles', async () => {
  await hired('liam', 'LOAN_OFFICER, TELLER')
  expect((await staffLogIn('liam')).browser.page).toContain('wrong')
  await approve('liam')
  const { tokens } = await staffLogIn('liam')
  const { claims } = tokens!
  expect(claims).toMatchObject({ sub: 'liam', roles: ['teller', 'loan-officer'] })
  expect(claims!['party_id']).toBe(undefined)
  expect(new Set(claims!['scope'].split(' '))).toEqual(
    new Set(scopesOf(['loan-officer', 'teller'])),
  )
  expect(await statusOf(tokens!.token)).toBe(200)
})

test('what an employee does is done in the name of the person', async () => {
  await hired('adam', 'ADMINISTRATOR')
  await approve('adam')
  const { tokens } = await staffLogIn('adam')
  const hire = `hireEmployee(input: { employeeId: "emp_new", username: "new.person", name: "N",
    roles: [TELLER] })`
  await change(hire, tokens!.token)
  const { body } = await eventually(async () => {
    const answer = await bank.graph(
      '{ businessEvents(subject: "employee/emp_new") { nodes { actor type } } }',
    )
    return answer.body.data.businessEvents.nodes.length > 0 && answer
  })
  expect(body.data.businessEvents.nodes).toEqual([{ actor: 'adam', type: 'staff.employee.hired' }])
  const own = bank.graph(
    'mutation { approveEmployee(employeeId: "emp_new") { status } }',
    {},
    { token: tokens!.token },
  )
  expect((await own).body.errors[0].extensions.code).toBe('SEGREGATION_OF_DUTIES')
})

test('a lost role ends all tokens at once, and a new log-in gives the remaining rights', async () => {
  await hired('omar', 'OPERATIONS, AUDITOR')
  await approve('omar')
  const { tokens } = await staffLogIn('omar')
  await change('changeEmployeeRoles(employeeId: "emp_omar", roles: [AUDITOR])', manager)
  expect(await statusOf(tokens!.token)).toBe(401)
  expect((await refresh(tokens!.refreshToken)).error).toBe('invalid_grant')
  const { tokens: renewed } = await eventually(async () => {
    const next = await staffLogIn('omar')
    return (await statusOf(next.tokens?.token)) === 200 && next
  })
  expect(renewed!.claims!['roles']).toEqual(['auditor'])
  expect(renewed!.claims!['scope'].split(' ')).not.toContain('operations:manage')
})

test('a suspended employee gets no token, neither by refresh nor by log-in', async () => {
  await hired('cora', 'COMPLIANCE')
  await approve('cora')
  const { tokens } = await staffLogIn('cora')
  await change('suspendEmployee(employeeId: "emp_cora", reason: "An inquiry.")', manager)
  expect(await statusOf(tokens!.token)).toBe(401)
  expect((await refresh(tokens!.refreshToken)).error).toBe('invalid_grant')
  const { browser, tokens: none } = await staffLogIn('cora')
  expect(none).toBe(undefined)
  expect(browser.page).toContain('The user name or the password is wrong.')
})

test('a role that is added while a session lasts is in the next tokens', async () => {
  await hired('carl', 'CONTACT_CENTER_AGENT')
  await approve('carl')
  const { tokens } = await staffLogIn('carl')
  await change(
    'changeEmployeeRoles(employeeId: "emp_carl", roles: [CONTACT_CENTER_AGENT, TELLER])',
    manager,
  )
  await approve('carl')
  const { tokens: after } = await staffLogIn('carl')
  expect(after!.claims!['scope'].split(' ')).toContain('postings:write')
  expect(tokens!.claims!['scope'].split(' ')).not.toContain('postings:write')
})

test('a customer in the console gets only what a person can delegate', async () => {
  const { tokens } = await logIn({ username: ada.username, password: ada.password })
  expect(tokens!.claims).toMatchObject({ sub: ada.username, party_id: ada.partyId })
  expect(tokens!.claims!['roles']).toBe(undefined)
  expect(new Set(tokens!.claims!['scope'].split(' '))).toEqual(new Set(delegableScopes))
})

test('neither an employee nor a customer gets scopes by asking for them', async () => {
  await hired('aron', 'AUDITOR')
  await approve('aron')
  const wish = 'products:read credit:decide staff:manage'
  for (const person of [
    { username: 'aron', password: passwords.get('aron')! },
    { username: ada.username, password: ada.password },
  ]) {
    const { tokens } = await logIn({ ...person, scope: wish })
    expect(tokens!.claims!['scope']).toBe('products:read')
  }
  const { at } = await staffLogIn('aron', { scope: 'everything' })
  expect(at.searchParams.get('error')).toBe('invalid_scope')
})

test('in a web app for customers, an employee has only scopes that the app may request', async () => {
  await hired('tina', 'TELLER')
  await approve('tina')
  const { tokens } = await staffLogIn('tina', { client: theWebApp() })
  const scopes = tokens!.claims!['scope'].split(' ') as string[]
  expect(scopes.length).toBeGreaterThan(5)
  const teller = new Set<string>(scopesOf(['teller']))
  expect(scopes.filter((scope) => !teller.has(scope))).toEqual([])
  expect(everyScope).toEqual(expect.arrayContaining(scopes))
})

/** The page that a person gets for a password and a code. */
async function setPassword(form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${bank.url}/oauth/password`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  })
  return { status: answer.status, page: await answer.text() }
}
async function issueCode(username: string, token = manager) {
  const mutation = `mutation { issueEmployeeLogInCode(employeeId: "emp_${username}") {
    code expiresAt employee { username } } }`
  const { body } = await bank.graph(mutation, {}, { token })
  if (body.errors) throw new Error(body.errors[0].extensions.code)
  const { code, expiresAt } = body.data.issueEmployeeLogInCode
  expect(new Date(expiresAt).getTime()).toBeGreaterThan(Date.now() + 71 * 3_600_000)
  return code as string
}
const password = 'a long walk home'

test('a new employee sets a password with a one-time code, once', async () => {
  await hired('nina', 'TELLER')
  await expect(issueCode('nina')).rejects.toThrow('STATE_CONFLICT')
  await approve('nina')
  const replaced = await issueCode('nina')
  const code = await issueCode('nina')
  const form = { username: 'Nina', code, password }
  expect((await setPassword({ ...form, code: replaced })).status).toBe(422)
  expect((await setPassword({ ...form, password: 'short' })).page).toContain('12 to 200')
  expect((await setPassword({ ...form, password: 'nina and more' })).status).toBe(422)
  expect((await setPassword(form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await setPassword(form)).page).toContain('Your password is set')
  expect((await setPassword({ ...form, password: `${password} again` })).status).toBe(422)
  const { tokens } = await logIn({ username: 'nina', password })
  expect(tokens!.claims).toMatchObject({ sub: 'nina', roles: ['teller'] })
})

test('a later code replaces the password, and an ended employment the code', async () => {
  await hired('otto', 'AUDITOR')
  await approve('otto')
  for (const next of [password, `${password}, again`]) {
    await setPassword({ username: 'otto', code: await issueCode('otto'), password: next })
    expect((await logIn({ username: 'otto', password: next })).tokens?.claims).toBeDefined()
  }
  expect((await logIn({ username: 'otto', password })).tokens).toBe(undefined)
  const code = await issueCode('otto')
  await change('dismissEmployee(employeeId: "emp_otto")', manager)
  expect((await setPassword({ username: 'otto', code, password })).status).toBe(422)
})

test('a code is nothing for customers, unknown names or guesses', async () => {
  await hired('paul', 'TELLER')
  await approve('paul')
  const code = await issueCode('paul')
  for (const form of [
    { username: ada.username, code, password },
    { username: 'nobody', code, password },
    { username: 'pa\0ul', code, password },
    { username: 'paul', code: '', password },
    { username: 'paul', code: `${code}x`, password },
    {},
  ]) {
    const { status, page } = await setPassword(form as Record<string, string>)
    expect(status).toBe(422)
    expect(page).not.toContain(code)
  }
  expect((await logIn({ username: ada.username, password: ada.password })).tokens).toBeDefined()
})

test('codes cannot be guessed without end', async () => {
  const statuses = []
  for (let index = 0; index < 8; index++) {
    const form = { username: 'quinn', code: `guess-${index}`, password }
    statuses.push((await setPassword(form)).status)
  }
  expect(statuses).toContain(429)
})
