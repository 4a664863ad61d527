/** Logs a person of the sandbox in the way a browser does: authorization code with PKCE, over the login pages. */
import { createHash, randomBytes } from 'node:crypto'
import { credentialsOf } from './credentials.mjs'

/**
 * One access token that acts for a party, with every scope a person may hand on unless `scope` names some.
 * @param {{ env: string, party: string, scope?: string }} asked
 * @returns {Promise<string>}
 */
export async function requestPartyToken({ env, party, scope }) {
  const { tokenEndpoint, webClient, parties = [] } = credentialsOf(env)
  const person = parties.find(({ partyId }) => partyId === party)
  if (!person) {
    const known = parties.map(({ partyId }) => partyId).join(', ') || 'nobody'
    throw new Error(`${party} cannot log in here; in ${env} these can: ${known}.`)
  }
  const issuer = new URL(tokenEndpoint).origin
  const verifier = randomBytes(32).toString('base64url')
  const redirectUri = webClient.redirect_uris[0]
  if (!redirectUri) throw new Error('People come back to a web app, and WEB_APPS names none.')
  const question = new URL('/oauth/authorize', issuer)
  question.search = new URLSearchParams({
    response_type: 'code',
    client_id: webClient.client_id,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scope && { scope }),
  }).toString()
  const code = await codeFrom(await answerPages(question, person, redirectUri))
  const answer = await fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: webClient.client_id,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code,
    }),
  })
  const { access_token: token, error, error_description: description } = await answer.json()
  if (!token) throw new Error(`${error}: ${description}`)
  return token
}

const mostPages = 10

/** Follows the pages, and fills in each form, until they lead back to the client. */
async function answerPages(start, { username, password }, redirectUri) {
  const cookies = new Map()
  const visit = async (url, form) => {
    const headers = { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') }
    const method = form ? 'POST' : 'GET'
    const answer = await fetch(url, { method, body: form, headers, redirect: 'manual' }).catch(
      () => {
        throw new Error(`Nobody answers at ${url.origin}: start the server first, with npm start.`)
      },
    )
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair] = cookie.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
  let url = start
  let form
  for (let pages = 0; pages < mostPages; pages++) {
    const answer = await visit(url, form)
    const location = answer.headers.get('location')
    if (location) {
      url = new URL(location, url)
      form = undefined
      if (url.href.startsWith(redirectUri)) return url
    } else if (answer.ok && !form) {
      form = new URLSearchParams({ username, password, decision: 'allow' })
    } else throw new Error(`The login page answered ${answer.status}.`)
  }
  throw new Error('The login pages lead nowhere.')
}

function codeFrom(url) {
  const { code, error, error_description: description } = Object.fromEntries(url.searchParams)
  if (!code) throw new Error(`${error}: ${description}`)
  return code
}
