import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSampleBank, unique, type SampleBank } from '../../contract/kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
})
afterAll(() => bank.stop())

const run = async (document: string, variables: object = {}, subject = 'drafter') => {
  const token = bank.token({ subject })
  const { body } = await bank.graph(document, variables as never, { token })
  return (body.errors?.[0].extensions ?? Object.values(body.data)[0]) as any
}
const draft = (assistantType: string, more: object = {}) =>
  run(
    `mutation ($input: DraftAssistantVersionInput!) { draftAssistantVersion(input: $input) {
      assistantVersionId number status consent maxMessages draftedBy } }`,
    { input: { assistantType, purpose: 'Helps.', tools: ['get_balance'], ...more } },
  )
const decide = (does: 'publish' | 'retire', id: string, by = 'publisher') =>
  run(
    `mutation ($id: ID!) { ${does}AssistantVersion(assistantVersionId: $id) { status publishedBy } }`,
    { id },
    by,
  )
const open = (assistantType: string) =>
  run(
    `mutation ($type: Label!) { createAssistSession(input: { assistantType: $type }) {
      sessionId assistantVersionId policyHash tools { name } limits { maxMessages } } }`,
    { type: assistantType },
  )
const versionsOf = (assistantType: string) =>
  run(
    'query ($type: Label!) { assistantVersions(assistantType: $type) { number status draftedBy } }',
    {
      type: assistantType,
    },
  )

test('provides six predefined assistants, each published at version 1', async () => {
  const all = await run('{ assistantVersions(status: PUBLISHED) { assistantType number } }')
  expect(all).toHaveLength(6)
  const session = await open('servicing-agent')
  expect(session.assistantVersionId).toBe('asv_servicing-agent_1')
  expect(session.tools.map(({ name }: any) => name)).toContain('transfer')
})

test('requires a second person to publish a version, and keeps open sessions on theirs', async () => {
  const type = unique('teller')
  const before = await open(type)
  expect([before.assistantVersionId, before.tools]).toEqual([null, []])
  const first = await draft(type)
  expect(first).toMatchObject({ number: 1, status: 'DRAFT', draftedBy: 'drafter' })
  expect(first).toMatchObject({ consent: 'OUTSIDE_MODEL', maxMessages: 400 })
  expect((await open(type)).assistantVersionId).toBeNull()
  const own = await decide('publish', first.assistantVersionId, 'drafter')
  expect(own.code).toBe('SEGREGATION_OF_DUTIES')
  expect(await decide('publish', first.assistantVersionId)).toEqual({
    status: 'PUBLISHED',
    publishedBy: 'publisher',
  })
  const pinned = await open(type)
  const second = await draft(type, { tools: ['get_balance', 'get_case'], maxMessages: 10 })
  await decide('publish', second.assistantVersionId)
  expect(await versionsOf(type)).toMatchObject([
    { number: 2, status: 'PUBLISHED' },
    { number: 1, status: 'RETIRED' },
  ])
  const later = await open(type)
  expect(later.tools.map(({ name }: any) => name)).toEqual(['get_balance', 'get_case'])
  expect(later.policyHash).not.toBe(pinned.policyHash)
  const still = await run(
    `{ assistSession(sessionId: "${pinned.sessionId}") { tools { name } limits { maxMessages } } }`,
  )
  expect(still).toEqual({ tools: [{ name: 'get_balance' }], limits: { maxMessages: 400 } })
})

test('disables an assistant type whose versions are all retired', async () => {
  const type = unique('gone')
  const { assistantVersionId } = await draft(type)
  await decide('publish', assistantVersionId)
  expect(await decide('retire', assistantVersionId)).toMatchObject({ status: 'RETIRED' })
  expect((await open(type)).code).toBe('ASSISTANT_DISABLED')
  const again = await decide('publish', assistantVersionId)
  expect(again).toMatchObject({ code: 'INVALID_STATE_TRANSITION', currentState: 'retired' })
})

test('keeps only one of two first versions published concurrently', async () => {
  const type = unique('race')
  const [one, other] = [await draft(type), await draft(type)]
  await Promise.all(
    [one, other].map(({ assistantVersionId }) => decide('publish', assistantVersionId)),
  )
  const statuses = (await versionsOf(type)).map(({ status }: any) => status)
  expect(statuses.filter((status: string) => status === 'PUBLISHED')).toHaveLength(1)
})

test.each([
  [{ tools: ['get_balance', 'approve_tool_call'] }, '/input/tools/1'],
  [{ tools: ['drop_database'] }, '/input/tools/0'],
  [{ maxTokens: 0 }, '/input/maxTokens'],
])('rejects an assistant version with %j', async (more, pointer) => {
  const refused = await draft(unique('bad'), more)
  expect([refused.code, refused.errors[0].pointer]).toEqual(['VALIDATION_FAILED', pointer])
})

test('denies delegated users managing assistants', async () => {
  expect((await decide('publish', 'asv_none')).code).toBe('ASSISTANT_NOT_FOUND')
  const token = bank.token({ partyId: 'pty_ada' })
  const { body } = await bank.graph(
    'mutation { retireAssistantVersion(assistantVersionId: "asv_servicing-agent_1") { status } }',
    {},
    { token },
  )
  expect(body.errors[0].extensions.code).toMatch(/NOT_FOR_DELEGATED_USERS|INSUFFICIENT_SCOPE/)
})

test('shows versions and kill switches to no delegated user, whatever the scopes', async () => {
  const token = bank.token({ partyId: 'pty_ada' })
  for (const field of ['assistantVersions { number }', 'assistKillSwitches { scope }']) {
    const { body } = await bank.graph(`{ ${field} }`, {}, { token })
    expect(body.errors[0].extensions.code).toBe('NOT_FOR_DELEGATED_USERS')
  }
})
