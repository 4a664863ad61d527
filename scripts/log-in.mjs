/** Logs a person in as a browser does: authorization code with PKCE, through the login pages. */
import { createHash, randomBytes } from 'node:crypto'
import { credentialsOf } from './credentials.mjs'

/**
 * Requests an access token that acts for a party, with all delegable scopes or those in `scope`.
 * @param {{ env: string, party: string, scope?: string }} options
 * @returns {Promise<string>}
 */
export async function requestPartyToken({ env, party, scope }) {
  const { tokenEndpoint, webClient, parties = [] } = credentialsOf(env)
  const person = parties.find(({ partyId }) => partyId === party)
  if (!person) {
    const known = parties.map(({ partyId }) => partyId).join(', ') || 'none'
    throw new Error(`${party} has no login in ${env}. Parties with a login: ${known}.`)
  }
  const redirectUri = webClient.redirect_uris[0]
  if (!redirectUri) throw new Error('The login redirects to a web app: set WEB_APPS to an address.')
  return logIn({ tokenEndpoint, client: webClient, person, scope })
}

/**
 * Requests an access token of an employee, with all scopes of the employee's roles or those in
 * `scope`.
 * @param {{ env: string, staff: string, scope?: string }} options
 * @returns {Promise<string>}
 */
export async function requestStaffToken({ env, staff: username, scope }) {
  const { tokenEndpoint, commandLineClient, staff = [] } = credentialsOf(env)
  const person = staff.find((each) => each.username === username)
  if (person) return logIn({ tokenEndpoint, client: commandLineClient, person, scope })
  const known = staff.map((each) => each.username).join(', ') || 'none'
  throw new Error(`${username} has no login in ${env}. Employees with a login: ${known}.`)
}

async function logIn({ tokenEndpoint, client, person, scope }) {
  const redirectUri = client.redirect_uris[0]
  const issuer = new URL(tokenEndpoint).origin
  const verifier = randomBytes(32).toString('base64url')
  const authorizeUrl = new URL('/oauth/authorize', issuer)
  authorizeUrl.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scope && { scope }),
  }).toString()
  const code = await codeFrom(await answerPages(authorizeUrl, person, redirectUri))
  const response = await fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code,
    }),
  })
  const { access_token: token, error, error_description: description } = await response.json()
  if (!token) throw new Error(`${error}: ${description}`)
  return token
}

const maxPages = 10

/** Follows the pages, fills in each form, and returns the URL of the redirect to the client. */
async function answerPages(start, { username, password }, redirectUri) {
  const cookies = new Map()
  const visit = async (url, form) => {
    const headers = { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') }
    const method = form ? 'POST' : 'GET'
    const response = await fetch(url, { method, body: form, headers, redirect: 'manual' }).catch(
      () => {
        throw new Error(
          `No server responds at ${url.origin}: start the server first, with npm start.`,
        )
      },
    )
    for (const cookie of response.headers.getSetCookie()) {
      const [pair] = cookie.split(';')
      const separator = pair.indexOf('=')
      cookies.set(pair.slice(0, separator), pair.slice(separator + 1))
    }
    return response
  }
  let url = start
  let form
  for (let pages = 0; pages < maxPages; pages++) {
    const response = await visit(url, form)
    const location = response.headers.get('location')
    if (location) {
      url = new URL(location, url)
      form = undefined
      if (url.href.startsWith(redirectUri)) return url
    } else if (response.ok && !form) {
      form = new URLSearchParams({ username, password, decision: 'allow' })
    } else throw new Error(`The login page failed with status ${response.status}.`)
  }
  throw new Error(`The login did not finish within ${maxPages} pages.`)
}

function codeFrom(url) {
  const { code, error, error_description: description } = Object.fromEntries(url.searchParams)
  if (!code) throw new Error(`${error}: ${description}`)
  return code
}
