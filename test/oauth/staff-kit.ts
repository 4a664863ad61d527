/** A sandbox whose employees are hired, log in and set passwords as people do. */
import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { commandLineClient, webClient } from '../../host/secrets.ts'
import { sandboxStaff } from '../../host/staff.ts'
import { aPlatform, secrets } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'

const passwords = new Map(
  sandboxStaff(secrets.cookieKey).map(({ username, password }) => [username, password]),
)

/** The password of one of the employees that every sandbox has. */
const passwordOf = (username: string): string => passwords.get(username)!

interface Client {
  client_id: string
  redirect_uris: string[]
}

interface LogIn {
  username: string
  password: string
  client?: Client
  scope?: string
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, any>

export type StaffedBank = Awaited<ReturnType<typeof aStaffedBank>>

/** Starts a sandbox with two persons who may hire and approve: `manager` and `second`. */
export async function aStaffedBank() {
  const bank = await aPlatform('sandbox')
  const manager = bank.token({ subject: 'manager' })
  const second = bank.token({ subject: 'second-person' })

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

  const theConsole = () => commandLineClient
  const theWebApp = () => webClient(['http://127.0.0.1:3000'])

  function authorizeUrl(client: Client, challenge: string, scope?: string): URL {
    const url = new URL('/oauth/authorize', bank.url)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: client.redirect_uris[0]!,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(scope && { scope }),
    }).toString()
    return url
  }

  /** Logs in through the pages, and returns the browser at its last page and the tokens. */
  async function logIn(
    { username, password, client = theConsole(), scope }: LogIn,
    browser = new ABrowser(),
  ) {
    const verifier = randomBytes(32).toString('base64url')
    const [redirectUri] = client.redirect_uris
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const opened = await browser.visit(authorizeUrl(client, challenge, scope))
    // A session needs no log-in, and a request that is rejected shows no page.
    const at = opened.href.startsWith(redirectUri!)
      ? opened
      : await browser.submit({ username, password })
    const code = at.searchParams.get('code')
    if (!code) return { browser, at }
    const tokens = await tokenRequest({
      grant_type: 'authorization_code',
      client_id: client.client_id,
      redirect_uri: redirectUri!,
      code_verifier: verifier,
      code,
    })
    return { browser, at, tokens }
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
  const refresh = (refreshToken: string) =>
    tokenRequest({
      grant_type: 'refresh_token',
      client_id: theConsole().client_id,
      refresh_token: refreshToken,
    })
  const staffLogIn = (username: string, more: Partial<LogIn> = {}, browser?: ABrowser) =>
    logIn({ username, password: passwordOf(username), ...more }, browser)
  const statusOf = async (token: string | undefined) =>
    token &&
    (await bank.graph('{ products(first: 1) { nodes { productId } } }', {}, { token })).status

  /** Sets a password on the page of the authorization server, and returns the next page. */
  async function setPassword(form: Record<string, string>, headers: Record<string, string> = {}) {
    const answer = await fetch(`${bank.url}/oauth/password`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
    })
    return { status: answer.status, page: await answer.text() }
  }
  async function issueCode(username: string) {
    await change(`requestEmployeeLogInCode(employeeId: "emp_${username}")`, manager)
    const mutation = `mutation { issueEmployeeLogInCode(employeeId: "emp_${username}") {
      code expiresAt employee { username } } }`
    const { body } = await bank.graph(mutation, {}, { token: second })
    const { code, expiresAt } = body.data.issueEmployeeLogInCode
    expect(new Date(expiresAt).getTime()).toBeGreaterThan(Date.now() + 71 * 3_600_000)
    return code as string
  }

  return {
    bank,
    manager,
    passwordOf,
    change,
    hired,
    approve,
    theConsole,
    theWebApp,
    authorizeUrl,
    logIn,
    staffLogIn,
    refresh,
    statusOf,
    setPassword,
    issueCode,
  }
}
