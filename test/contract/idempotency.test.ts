/**
 * An accepted request takes effect once, however often it is repeated, over REST or GraphQL, and
 * whatever changed since; and idempotency keys of different callers never collide.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RestAnswer, RestOptions } from '../kit/platform.ts'
import { aSampleBank, countRows, freshPath, goodBody, unique, type SampleBank } from './kit.ts'
import { documented } from './specification.ts'

let bank: SampleBank
beforeAll(async () => {
  // Rows are counted, so only requests may create any.
  bank = await aSampleBank('live', true)
})
afterAll(() => bank.stop())

const posts = documented.filter(({ method }) => method === 'POST')
const notify = (body: object, options: RestOptions) =>
  bank.rest('POST', '/notifications', body, options)
const isReplay = ({ headers }: RestAnswer) => headers.get('idempotent-replayed') === 'true'

/** The number of notifications with this subject. */
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

describe('a repeated request with the same idempotency key', () => {
  test.each(posts.map((post) => [post.name, post] as const))(
    '%s: thirty concurrent requests have one effect and one response',
    async (name, operation) => {
      const { status } = operation
      const once = async () => {
        const own = await freshPath(bank, operation)
        const before = await countRows(bank)
        await bank.rest('POST', own, goodBody(name), { key: unique('key') })
        return (await countRows(bank)) - before
      }
      // The first of its kind may create more rows than later ones.
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

  test('is replayed whatever the order and the escaping of its JSON', async () => {
    const [key, body] = [unique('key'), goodBody('POST /notifications')!]
    const first = await notify(body, { key })
    const turned = Object.fromEntries(Object.entries(body).toReversed())
    const raw = JSON.stringify(turned, null, 2).replace('"Welcome"', '"\\u0057elcome"')
    const again = await bank.rest('POST', '/notifications', undefined, { key, raw })
    expect(isReplay(again)).toBe(true)
    expect(again.text).toBe(first.text)
  })

  test('is answered with the original response after the record has changed', async () => {
    const [key, body] = [unique('key'), goodBody('POST /notifications')!]
    const first = await notify(body, { key })
    await bank.act('mutation ($id: ID!) { cancelNotification(notificationId: $id) { status } }', {
      id: first.body.notificationId,
    })
    const again = await notify(body, { key })
    expect(again.text).toBe(first.text)
    expect(again.body.status).toBe('queued')
  })

  test('is answered with the original response when a new request would be rejected', async () => {
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

describe('a different request with the same idempotency key', () => {
  test('is rejected with IDEMPOTENCY_KEY_REUSED and has no effect', async () => {
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

  test('is accepted for another operation, since keys are scoped by operation', async () => {
    const key = unique('key')
    for (const post of posts) {
      const { name, status } = post
      const answer = await bank.rest('POST', await freshPath(bank, post), goodBody(name), { key })
      expect([answer.status, isReplay(answer)], answer.text).toEqual([status, false])
    }
  })
})

describe('idempotency keys shared by REST and GraphQL', () => {
  test.each(['REST first', 'graph first'])('the second request is replayed: %s', async (which) => {
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

  test('GraphQL takes the key from the header or from an extension', async () => {
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

  test('thirty concurrent requests over both APIs have one effect', async () => {
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

  test('rejects a different body with the same key over the other API', async () => {
    const [key, body] = [unique('key'), goodBody('POST /notifications')!]
    await notify(body, { key })
    const answer = await bank.graph(document, inGraph({ ...body, subject: 'Other' }), { key })
    expect(answer.body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test.each(['', 'k'.repeat(81), 'with blank'])(
    'GraphQL rejects the idempotency key %j',
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

describe('scope of idempotency keys', () => {
  const request = (key: string, actor: object, subject: string) =>
    notify({ ...goodBody('POST /notifications')!, subject }, { key, token: bank.token(actor) })

  test('keys of two clients do not collide', async () => {
    const [key, subject] = [unique('key'), unique('subject')]
    const one = await request(key, { clientId: 'one' }, subject)
    const two = await request(key, { clientId: 'two' }, subject)
    expect([one.status, two.status, isReplay(two)]).toEqual([201, 201, false])
    expect(two.body.notificationId).not.toBe(one.body.notificationId)
    expect((await request(key, { clientId: 'two' }, 'Other')).status).toBe(422)
  })

  test('keys of two delegated users and of their client do not collide', async () => {
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

  test('a new token of the same client still gets the replayed response', async () => {
    const [key, subject] = [unique('key'), unique('subject')]
    const first = await request(key, { clientId: 'one' }, subject)
    const again = await request(key, { clientId: 'one', ttlSeconds: 60 }, subject)
    expect(again.text).toBe(first.text)
  })
})

test('answers 409 with Retry-After while the first request with the key is still running', async () => {
  const [key, body] = [unique('key'), goodBody('POST /notifications')!]
  const before = unique('key')
  await notify(body, { key: before })
  const other = await bank.bank.pool.connect()
  try {
    await other.query('begin')
    // The claim of a request that has not committed: a copy of the previous one, under this key.
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

test('a rejected request does not use up its key', async () => {
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
