/**
 * One accepted request is one effect, however often, through whichever door and in whatever state
 * of the world it is repeated; and nobody meets the keys of somebody else.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RestAnswer, RestOptions } from '../kit/platform.ts'
import {
  aFurnishedBank,
  countRows,
  freshPath,
  goodBody,
  unique,
  type FurnishedBank,
} from './kit.ts'
import { documented } from './specification.ts'

let bank: FurnishedBank
beforeAll(async () => {
  // Rows are counted: only requests may make them.
  bank = await aFurnishedBank('live', true)
})
afterAll(() => bank.stop())

const posts = documented.filter(({ method }) => method === 'POST')
const notify = (body: object, options: RestOptions) =>
  bank.rest('POST', '/notifications', body, options)
const isReplay = ({ headers }: RestAnswer) => headers.get('idempotent-replayed') === 'true'

/** Notifications whose subject is this. */
async function countOf(subject: string): Promise<number> {
  const sql = 'select count(*) from notifications.notification where subject = $1'
  const { rows } = await bank.bank.pool.query<{ count: string }>(sql, [subject])
  return Number(rows[0]!.count)
}

const document = `mutation ($input: CreateNotificationInput!) {
  createNotification(input: $input) { notificationId subject status createdAt } }`
const inGraph = ({ channel, ...input }: Record<string, unknown>) => ({
  input: { ...input, channel: String(channel).toUpperCase() },
})

describe('the same request again', () => {
  test.each(posts.map((post) => [post.name, post] as const))(
    '%s: thirty at once have one effect and one answer',
    async (name, operation) => {
      const { status } = operation
      const once = async () => {
        const own = await freshPath(bank, operation)
        const before = await countRows(bank)
        await bank.rest('POST', own, goodBody(name), { key: unique('key') })
        return (await countRows(bank)) - before
      }
      // The first of its kind may leave more behind than those that follow.
      await once()
      const rowsOfOne = await once()
      const path = await freshPath(bank, operation)
      const before = await countRows(bank)
      const [key, body] = [unique('key'), goodBody(name)]
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => bank.rest('POST', path, body, { key })),
      )
      const done = answers.filter((answer) => answer.status === status)
      for (const answer of answers.filter((answer) => !done.includes(answer))) {
        expect(answer.body.code, answer.text).toBe('IDEMPOTENCY_IN_PROGRESS')
        expect(answer.headers.get('retry-after')).toBe('1')
      }
      expect(new Set(done.map(({ text }) => text)).size).toBe(1)
      expect(done.filter((answer) => !isReplay(answer))).toHaveLength(1)
      const later = await bank.rest('POST', path, body, { key })
      expect(isReplay(later)).toBe(true)
      expect(later.text).toBe(done[0]!.text)
      expect(later.status).toBe(status)
      expect((await countRows(bank)) - before).toBe(rowsOfOne)
    },
  )

  test('the order and the spelling of its JSON do not matter', async () => {
    const [key, body] = [unique('key'), goodBody('POST /notifications')!]
    const first = await notify(body, { key })
    const turned = Object.fromEntries(Object.entries(body).toReversed())
    const raw = JSON.stringify(turned, null, 2).replace('"Welcome"', '"\\u0057elcome"')
    const again = await bank.rest('POST', '/notifications', undefined, { key, raw })
    expect(isReplay(again)).toBe(true)
    expect(again.text).toBe(first.text)
  })

  test('is answered as it was then, though the record has moved on', async () => {
    const [key, body] = [unique('key'), goodBody('POST /notifications')!]
    const first = await notify(body, { key })
    await bank.act('mutation ($id: ID!) { cancelNotification(notificationId: $id) { status } }', {
      id: first.body.notificationId,
    })
    const again = await notify(body, { key })
    expect(again.text).toBe(first.text)
    expect(again.body.status).toBe('queued')
  })

  test('is answered though it would be refused now', async () => {
    const templateCode = unique('code')
    const { createNotificationTemplate: template } = await bank.act(
      `mutation ($code: Label!) { createNotificationTemplate(input: { templateCode: $code,
        channel: EMAIL, status: "active" }) { templateId } }`,
      { code: templateCode },
    )
    const [key, body] = [unique('key'), { ...goodBody('POST /notifications')!, templateCode }]
    const first = await notify(body, { key })
    expect(first.status, first.text).toBe(201)
    await bank.act(
      'mutation ($id: ID!) { retireNotificationTemplate(templateId: $id) { status } }',
      {
        id: template.templateId,
      },
    )
    expect((await notify(body, { key: unique('key') })).status).toBe(422)
    const again = await notify(body, { key })
    expect([again.status, again.text]).toEqual([201, first.text])
  })
})

describe('another request under the same key', () => {
  test('is refused, and nothing happens', async () => {
    const [key, body] = [unique('key'), goodBody('POST /notifications')!]
    await notify(body, { key })
    const before = await countRows(bank)
    for (const more of [{ subject: 'Other' }, { personalization: { message: 'Other' } }]) {
      const answer = await notify({ ...body, ...more }, { key })
      expect(answer.status).toBe(422)
      expect(answer.body.code).toBe('IDEMPOTENCY_KEY_REUSED')
      expect(answer.body.errors[0].header).toBe('Idempotency-Key')
    }
    expect(await countRows(bank)).toBe(before)
  })

  test('of another operation is another key', async () => {
    const key = unique('key')
    for (const post of posts) {
      const { name, status } = post
      const answer = await bank.rest('POST', await freshPath(bank, post), goodBody(name), { key })
      expect([answer.status, isReplay(answer)], answer.text).toEqual([status, false])
    }
  })
})

describe('REST and the graph share their keys', () => {
  test.each(['REST first', 'graph first'])('%s', async (which) => {
    const [key, subject] = [unique('key'), unique('subject')]
    const body = { ...goodBody('POST /notifications')!, subject }
    const viaRest = () => notify(body, { key })
    const viaGraph = () => bank.graph(document, inGraph(body), { key })
    const steps = which === 'REST first' ? [viaRest, viaGraph] : [viaGraph, viaRest]
    const [first, second] = [await steps[0]!(), await steps[1]!()]
    const idOf = ({ body }: RestAnswer) => (body.data?.createNotification ?? body).notificationId
    expect(idOf(first)).toMatch(/^ntf_/)
    expect(idOf(second)).toBe(idOf(first))
    expect([isReplay(first), isReplay(second)]).toEqual([false, true])
    expect(await countOf(subject)).toBe(1)
  })

  test('in the graph the key is a header or an extension', async () => {
    const [key, subject] = [unique('key'), unique('subject')]
    const body = { ...goodBody('POST /notifications')!, subject }
    const extended = {
      query: document,
      variables: inGraph(body),
      extensions: { idempotencyKey: key },
    }
    const first = await bank.rest('POST', '/graphql', extended)
    const again = await bank.graph(document, inGraph(body), { key })
    expect(again.text).toBe(first.text)
    expect(isReplay(again)).toBe(true)
    expect(await countOf(subject)).toBe(1)
  })

  test('thirty at once through both doors have one effect', async () => {
    const [key, subject] = [unique('key'), unique('subject')]
    const body = { ...goodBody('POST /notifications')!, subject }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        at % 2 ? notify(body, { key }) : bank.graph(document, inGraph(body), { key }),
      ),
    )
    const ids = answers.map(({ body }) => (body.data?.createNotification ?? body).notificationId)
    expect(new Set(ids.filter(Boolean)).size).toBe(1)
    expect(await countOf(subject)).toBe(1)
  })

  test('another body through the other door is refused', async () => {
    const [key, body] = [unique('key'), goodBody('POST /notifications')!]
    await notify(body, { key })
    const answer = await bank.graph(document, inGraph({ ...body, subject: 'Other' }), { key })
    expect(answer.body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test.each(['', 'k'.repeat(81), 'with blank'])(
    'the key %j is no key in the graph',
    async (key) => {
      const before = await countRows(bank)
      const variables = inGraph(goodBody('POST /notifications')!)
      const extensions = { idempotencyKey: key }
      const answer = await bank.rest('POST', '/graphql', { query: document, variables, extensions })
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_INVALID')
      expect(await countRows(bank)).toBe(before)
    },
  )
})

describe('whose key', () => {
  const asked = (key: string, asker: object, subject: string) =>
    notify({ ...goodBody('POST /notifications')!, subject }, { key, token: bank.token(asker) })

  test('two clients do not meet', async () => {
    const [key, subject] = [unique('key'), unique('subject')]
    const one = await asked(key, { clientId: 'one' }, subject)
    const two = await asked(key, { clientId: 'two' }, subject)
    expect([one.status, two.status, isReplay(two)]).toEqual([201, 201, false])
    expect(two.body.notificationId).not.toBe(one.body.notificationId)
    expect((await asked(key, { clientId: 'two' }, 'Other')).status).toBe(422)
  })

  test('delegated users of one client do not meet, nor their client', async () => {
    const partyId = unique('pty')
    await bank.act(
      `mutation ($partyId: ID!) { createParty(input: { partyId: $partyId, kind: PERSON,
        givenName: "Grace", familyName: "Hopper", contactPoints: [{ channel: EMAIL,
        address: "grace@example.com", verified: true }] }) { partyId } }`,
      { partyId },
    )
    const [key, subject] = [unique('key'), unique('subject')]
    const send = (to: string, by: object) =>
      notify(
        { ...goodBody('POST /notifications')!, subject, partyId: to },
        { key, token: bank.token({ clientId: 'web', ...by }) },
      )
    const answers = [
      await send('pty_ada', {}),
      await send('pty_ada', { partyId: 'pty_ada' }),
      await send(partyId, { partyId }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers.filter(isReplay)).toEqual([])
    expect(isReplay(await send(partyId, { partyId }))).toBe(true)
  })

  test('a token renewed by the same client meets its first try', async () => {
    const [key, subject] = [unique('key'), unique('subject')]
    const first = await asked(key, { clientId: 'one' }, subject)
    const again = await asked(key, { clientId: 'one', ttlSeconds: 60 }, subject)
    expect(again.text).toBe(first.text)
  })
})

test('while the first try still runs, the second is told to come back', async () => {
  const [key, body] = [unique('key'), goodBody('POST /notifications')!]
  const before = unique('key')
  await notify(body, { key: before })
  const other = await bank.bank.pool.connect()
  try {
    await other.query('begin')
    // What a first try that has not committed holds: a claim like the one before, under this key.
    await other.query(
      `insert into kernel.idempotency
       select (jsonb_populate_record(claim, jsonb_build_object('key', $1::text))).*
       from kernel.idempotency claim where key = $2`,
      [key, before],
    )
    const answer = await notify(body, { key })
    expect([answer.status, answer.body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(answer.body.retryable).toBe(true)
  } finally {
    await other.query('rollback')
    other.release()
  }
  expect((await notify(body, { key })).status).toBe(201)
})

test('a refusal is not remembered: the key stays free for the request that is good', async () => {
  const partyId = unique('pty')
  const [key, body] = [unique('key'), { ...goodBody('POST /notifications')!, partyId }]
  const refused = await notify(body, { key })
  expect([refused.status, refused.body.code]).toEqual([422, 'PARTY_NOT_FOUND'])
  expect((await notify({ ...body, channel: 'fax' }, { key })).status).toBe(400)
  await bank.act(
    `mutation ($partyId: ID!) { createParty(input: { partyId: $partyId, kind: PERSON,
      givenName: "A", familyName: "B" }) { partyId } }`,
    { partyId },
  )
  const taken = await notify(body, { key })
  expect([taken.status, isReplay(taken)]).toEqual([201, false])
})
