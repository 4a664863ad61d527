import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform

beforeAll(async () => {
  // Without workers, so that nothing is delivered meanwhile.
  bank = await aPlatform('sandbox', undefined, true)
}, 60_000)
afterAll(() => bank.stop())

const document = `query ($input: PreviewNotificationTemplateInput!) {
  previewNotificationTemplate(input: $input) { subject body faults { pointer code } }
}`
const content = { channel: 'SMS', body: 'Hello {{ name }}', variables: [{ name: 'name' }] }

async function preview(input: object) {
  const { body } = await bank.graph(document, { input })
  return body.data.previewNotificationTemplate
}

async function mutate(document: string) {
  const { body } = await bank.graph(`mutation { ${document} }`)
  if (body.errors) throw new Error(body.errors[0].message)
  return body.data
}

async function createParty(name: string): Promise<string> {
  const input = `{ kind: PERSON, givenName: "${name}", familyName: "L" }`
  return (await mutate(`createParty(input: ${input}) { partyId }`)).createParty.partyId
}

const createTemplate = (channel: string) =>
  mutate(
    `createNotificationTemplate(input: { templateCode: "tpl_filtered", channel: ${channel},
      status: "active" }) { templateId }`,
  )

const notify = (partyId: string, channel: string) =>
  mutate(
    `createNotification(input: { partyId: "${partyId}", channel: ${channel},
      templateCode: "tpl_filtered" }) { notificationId }`,
  )

async function list(filter: string) {
  const fields = '{ nodes { notificationId channel partyId status } }'
  const { body } = await bank.graph(`{ notifications${filter} ${fields} }`)
  return body.data.notifications.nodes as {
    notificationId: string
    status: string
    channel: string
    partyId: string
  }[]
}

test('a preview renders a wording as the delivery does', async () => {
  const input = { ...content, personalization: { name: 'Ada' } }
  expect(await preview(input)).toEqual({ subject: null, body: 'Hello Ada', faults: [] })
})

test('a preview names what prevents the message', async () => {
  const { body, faults } = await preview(content)
  expect(body).toBeNull()
  expect(faults).toEqual([{ pointer: '/personalization/name', code: 'MISSING_PERSONALIZATION' }])
  const empty = await preview({ channel: 'SMS', body: '{% if false %}x{% endif %}' })
  expect(empty.faults).toEqual([{ pointer: '/body', code: 'EMPTY_BODY' }])
  const undeclared = await preview({ channel: 'SMS', body: 'Hello {{ other }}' })
  expect(undeclared.faults).toEqual([{ pointer: '/body', code: 'UNDECLARED_VARIABLE' }])
})

test('a customer cannot preview templates', async () => {
  const token = bank.token({ partyId: ada.partyId, scopes: ['notifications:read'] })
  const { body } = await bank.graph(document, { input: content }, { token })
  expect(body.data?.previewNotificationTemplate ?? null).toBeNull()
  expect(body.errors[0].extensions.code).toBe('NOT_FOR_DELEGATED_USERS')
})

test('notifications are filtered by party, status and channel', async () => {
  const partyIds = await Promise.all(['One', 'Two'].map(createParty))
  for (const channel of ['SMS', 'SECURE_MESSAGE']) await createTemplate(channel)
  for (const partyId of partyIds) {
    for (const channel of ['SMS', 'SECURE_MESSAGE']) await notify(partyId, channel)
  }
  const all = await list('')
  expect(all).toHaveLength(4)
  for (const channel of ['SMS', 'SECURE_MESSAGE', 'EMAIL']) {
    const expected = all.filter((each) => each.channel === channel)
    expect(await list(`(channel: ${channel})`)).toEqual(expected)
    for (const partyId of partyIds) {
      const own = expected.filter((each) => each.partyId === partyId)
      expect(await list(`(channel: ${channel}, partyId: "${partyId}")`)).toEqual(own)
    }
  }
  // Nobody has a telephone number, so the text messages are suppressed.
  for (const status of ['SUPPRESSED', 'QUEUED']) {
    const expected = all.filter((each) => each.status === status)
    expect(expected).toHaveLength(2)
    expect(await list(`(status: ${status})`)).toEqual(expected)
  }
  // A page continues with the same filters.
  const page = await bank.graph(
    '{ notifications(channel: SMS, first: 1) { nodes { notificationId } pageInfo { endCursor } } }',
  )
  const { nodes, pageInfo } = page.body.data.notifications
  const rest = await list(`(channel: SMS, first: 1, after: "${pageInfo.endCursor}")`)
  const sms = all.filter(({ channel }) => channel === 'SMS')
  expect([...nodes, ...rest].map(({ notificationId }) => notificationId)).toEqual(
    sms.map(({ notificationId }) => notificationId),
  )
})
