/** Registered clients have an owner, and in live a second person approves their rights. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScope } from '../../../kernel/domain/scopes.ts'
import { aPlatform, type Platform } from '../../kit/platform.ts'

let live: Platform
let sandbox: Platform
beforeAll(async () => {
  live = await aPlatform('live')
  sandbox = await aPlatform('sandbox')
})
afterAll(async () => {
  await live.stop()
  await sandbox.stop()
})

const fields = 'clientId owner actsFor scopes proposal { scopes actsFor proposedBy }'

/** Runs a mutation, by default as the person who registers the clients. */
async function mutate(bank: Platform, field: string, token = bank.token({ subject: 'rita' })) {
  const { body } = await bank.graph(`mutation { it: ${field} }`, {}, { token })
  return { it: body.data?.it, code: body.errors?.[0]?.extensions.code as string | undefined }
}
const register = (bank: Platform, clientId: string, token?: string, more = '') =>
  mutate(
    bank,
    `registerOAuthClient(input: { clientId: "${clientId}", label: "A program",
      scopes: [${everyScope.map((scope) => `"${scope}"`)}] ${more} }) { secret client { ${fields} } }`,
    token,
  )
const approve = (clientId: string, token: string) =>
  mutate(live, `approveOAuthClient(clientId: "${clientId}") { ${fields} }`, token)

async function tokenEndpoint(bank: Platform, clientId: string, secret: string): Promise<string> {
  const answer = await fetch(bank.credentials.tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await answer.json()) as { access_token?: string }).access_token ?? ''
}

test('live: an approval that names the reviewed proposal does not approve a later one', async () => {
  const proposed = async () => {
    const { body } = await live.graph(
      '{ oauthClient(clientId: "reviewed") { proposal { proposedAt } } }',
    )
    return body.data.oauthClient.proposal.proposedAt as string
  }
  const propose = (label: string) =>
    mutate(
      live,
      `changeOAuthClient(input: { clientId: "reviewed", label: "${label}" }) { clientId }`,
    )
  const approveReviewed = (proposedAt: string) =>
    mutate(
      live,
      `approveOAuthClient(clientId: "reviewed", proposedAt: "${proposedAt}") { label }`,
      live.token({ subject: 'olga' }),
    )
  await register(live, 'reviewed')
  expect(await approveReviewed(await proposed())).toMatchObject({ it: { label: 'A program' } })
  await propose('A payroll')
  const reviewed = await proposed()
  await propose('The payroll of the bank')
  expect(await approveReviewed(reviewed)).toMatchObject({ code: 'STATE_CONFLICT' })
  const { it } = await approveReviewed(await proposed())
  expect(it).toEqual({ label: 'The payroll of the bank' })
})

test('live: issues no token to a new client before another person has approved its rights', async () => {
  const { it } = await register(live, 'waiting')
  expect(it.client).toMatchObject({
    owner: 'rita',
    scopes: [],
    proposal: { scopes: everyScope, proposedBy: 'rita' },
  })
  expect(await tokenEndpoint(live, 'waiting', it.secret)).toBe('')
  expect((await approve('waiting', live.token())).code).toBe('PERSON_REQUIRED')
  const rita = live.token({ subject: 'rita' })
  expect((await approve('waiting', rita)).code).toBe('SEGREGATION_OF_DUTIES')
  const narrow = live.token({ subject: 'olga', scopes: ['clients:manage'] })
  expect((await approve('waiting', narrow)).code).toBe('INSUFFICIENT_SCOPE')
  const approved = await approve('waiting', live.token({ subject: 'olga' }))
  expect(approved.it).toMatchObject({ scopes: everyScope, proposal: null })
  expect(await tokenEndpoint(live, 'waiting', it.secret)).not.toBe('')
  expect((await approve('waiting', live.token({ subject: 'olga' }))).code).toBe('STATE_CONFLICT')
})

test('live: holds added rights for approval, reduces rights at once, and can reject a proposal', async () => {
  await register(live, 'growing')
  await approve('growing', live.token({ subject: 'olga' }))
  const change = (input: string) =>
    mutate(live, `changeOAuthClient(input: { clientId: "growing" ${input} }) { ${fields} }`)
  const fewer = await change('scopes: ["fees:read"]')
  expect(fewer.it).toMatchObject({ scopes: ['fees:read'], proposal: null })
  const more = await change('actsFor: ["officer_9"]')
  expect(more.it).toMatchObject({ actsFor: [], proposal: { actsFor: ['officer_9'] } })
  const rejected = await mutate(live, `rejectOAuthClient(clientId: "growing") { ${fields} }`)
  expect(rejected.it).toMatchObject({ actsFor: [], scopes: ['fees:read'], proposal: null })
})

test('live: another label, logo or address of a client takes a second person', async () => {
  const shown = 'label logoUri backchannelLogoutUri redirectUris'
  const selection = `${shown} proposal { ${shown} proposedBy }`
  const olga = live.token({ subject: 'olga' })
  const before = {
    label: 'An app',
    logoUri: 'https://app.example/logo.svg',
    backchannelLogoutUri: 'https://app.example/log-out',
    redirectUris: ['https://app.example/back'],
  }
  const inputOf = (values: object) =>
    Object.entries(values)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join(', ')
  await mutate(
    live,
    `registerOAuthClient(input: { clientId: "shown", scopes: ["accounts:read"], ${inputOf(before)} }) {
      client { clientId } }`,
  )
  await approve('shown', olga)
  const change = async (values: object) =>
    (
      await mutate(
        live,
        `changeOAuthClient(input: { clientId: "shown", ${inputOf(values)} }) { ${selection} }`,
      )
    ).it
  for (const wanted of [
    { label: 'Your bank' },
    { logoUri: 'https://evil.example/logo.svg' },
    { backchannelLogoutUri: 'https://evil.example/log-out' },
    { redirectUris: ['https://evil.example/back'] },
    { redirectUris: [...before.redirectUris, 'https://evil.example/back'] },
  ]) {
    const proposal = { ...before, ...wanted, proposedBy: 'rita' }
    expect(await change(wanted)).toEqual({ ...before, proposal })
    expect((await approve('shown', live.token({ subject: 'rita' }))).code).toBe(
      'SEGREGATION_OF_DUTIES',
    )
    const approved = await mutate(
      live,
      `approveOAuthClient(clientId: "shown") { ${selection} }`,
      olga,
    )
    expect(approved.it).toEqual({ ...before, ...wanted, proposal: null })
    await change(before)
    await approve('shown', olga)
  }
  // A change to the same values adds nothing, so it needs nobody.
  expect(await change(before)).toEqual({ ...before, proposal: null })
})

test('live: the label of a client that acts for itself takes a second person as well', async () => {
  await register(live, 'labeled')
  await approve('labeled', live.token({ subject: 'olga' }))
  const { it } = await mutate(
    live,
    'changeOAuthClient(input: { clientId: "labeled", label: "Core" }) { label proposal { label } }',
  )
  expect(it).toEqual({ label: 'A program', proposal: { label: 'Core' } })
})

test('a client and the clients that it registers share an owner and count as one person in four eyes', async () => {
  const owen = sandbox.token({ subject: 'owen' })
  const first = await register(sandbox, 'first', owen)
  const token = await tokenEndpoint(sandbox, 'first', first.it.secret)
  expect((await register(sandbox, 'second', token)).code).toBe('PERSON_REQUIRED')
  const second = await register(sandbox, 'second', owen)
  expect(second.it.client.owner).toBe('owen')
  const other = await tokenEndpoint(sandbox, 'second', second.it.secret)

  const template = `createNotificationTemplate(input: { templateId: "tpl_own", channel: EMAIL,
    subject: "Hello", body: "Hello", status: "draft" }) { templateId }`
  expect((await mutate(sandbox, template, token)).code).toBeUndefined()
  await mutate(sandbox, 'submitNotificationTemplate(templateId: "tpl_own") { status }', token)
  const review = 'approveNotificationTemplate(templateId: "tpl_own") { status }'
  expect((await mutate(sandbox, review, other)).code).toBe('PERSON_REQUIRED')
  expect((await mutate(sandbox, review, owen)).code).toBe('SEGREGATION_OF_DUTIES')
  const olga = sandbox.token({ subject: 'olga' })
  expect((await mutate(sandbox, review, olga)).it).toEqual({ status: 'APPROVED' })

  const grant = `grantCreditAuthority(decider: "second", limit: { amount: "1.00", currency: "EUR" }) { decider }`
  expect((await mutate(sandbox, grant, owen)).code).toBe('SEGREGATION_OF_DUTIES')
})

test('lets only the owner rotate the secret of a client', async () => {
  await register(sandbox, 'owned')
  const rotate = 'rotateOAuthClientSecret(clientId: "owned") { secret }'
  const olga = sandbox.token({ subject: 'olga' })
  expect((await mutate(sandbox, rotate, olga)).code).toBe('SEGREGATION_OF_DUTIES')
  expect((await mutate(sandbox, rotate)).it.secret).toMatch(/^.{43}$/)
})

test('rejects a client id that names a person, party or client, and a client that acts for a client', async () => {
  await mutate(
    sandbox,
    'createParty(input: { partyId: "pty_eve", kind: PERSON, givenName: "Eve", familyName: "Moreno" }) { partyId }',
  )
  for (const name of ['ada', 'pty_eve', 'test-client', 'officer_mary']) {
    const actions = name === 'officer_mary' ? 'actsFor: ["test-client"]' : ''
    const { code } = await register(sandbox, actions ? 'impostor' : name, undefined, actions)
    expect([name, code]).toEqual([name, 'NAME_TAKEN'])
  }
})
