/** Cases and documents as a client meets them: routed through the graph, sent and read over HTTP. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../kit/absent.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'
import { actIn } from './kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform()
  for (const [partyId, givenName] of [
    ['pty_ada', 'Ada'],
    ['pty_grace', 'Grace'],
  ]) {
    await act(
      `createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "${givenName}", familyName: "L" }) { partyId }`,
    )
  }
  await act('createRoutingQueue(input: { queueId: "que_work", name: "Work" }) { queueId }')
  await act(`createRoutingProfile(input: { routingProfileId: "rtp_work", name: "Work",
    queues: [{ queueId: "que_work", channel: TASK }]
    mediaConcurrencies: [{ channel: TASK, concurrency: 1 }] }) { routingProfileId }`)
  await act(
    'createAgent(input: { agentId: "agt_mary", name: "Mary", routingProfileId: "rtp_work", status: "available" }) { agentId }',
  )
})
afterAll(() => bank.stop())

const act = (field: string, options = {}) => actIn(bank, field, options)

async function ask(query: string, token?: string) {
  const { body } = await bank.graph(query, {}, token === undefined ? {} : { token })
  return body
}

const caseOf = async (caseId: string) =>
  (
    await ask(`{ case(caseId: "${caseId}") { status queueId assignee { agentId name load { channel count } }
      queue { name } party { displayName } interactions { nodes { interactionId status decision { reasons { code } } } }
      timeline { nodes { kind } } } }`)
  ).data.case
const open = (more = '') =>
  act(
    `openCase(input: { caseType: COMPLAINT, title: "Twice", partyId: "pty_ada", routingProfileId: "rtp_work" ${more} }) { caseId }`,
  )

describe('a case with a routing profile', () => {
  test('comes to whoever is free; the next one waits for them, and is theirs when they are done', async () => {
    const first = await open()
    const assigned = await eventually(async () => {
      const about = await caseOf(first.caseId)
      return about.assignee && about
    })
    expect(assigned).toMatchObject({
      assignee: { agentId: 'agt_mary', name: 'Mary', load: [{ channel: 'TASK', count: 1 }] },
      queue: { name: 'Work' },
      party: { displayName: 'Ada L' },
      interactions: { nodes: [{ status: 'ASSIGNED' }] },
    })
    expect(assigned.timeline.nodes.map(({ kind }: any) => kind)).toEqual([
      'OPENED',
      'SENT_TO_ROUTING',
      'ASSIGNED',
    ])
    const second = await open()
    const waiting = await eventually(async () => {
      const about = await caseOf(second.caseId)
      return about.queueId && about
    })
    expect(waiting.assignee).toBeNull()
    await act(`withdrawCase(caseId: "${first.caseId}") { status }`)
    await eventually(async () => (await caseOf(second.caseId)).assignee)
    const ended = await caseOf(first.caseId)
    expect(ended.interactions.nodes).toMatchObject([{ status: 'COMPLETED' }])
    const { timeline } = await caseOf(second.caseId)
    expect(timeline.nodes.map(({ kind }: any) => kind)).toEqual([
      'OPENED',
      'SENT_TO_ROUTING',
      'QUEUED',
      'ASSIGNED',
    ])
    await act(`withdrawCase(caseId: "${second.caseId}") { status }`)
  })

  test('that is given back looks for somebody else; given to somebody by hand it looks no more', async () => {
    const { caseId } = await open()
    const about = await eventually(async () => {
      const found = await caseOf(caseId)
      return found.assignee && found
    })
    const { interactionId } = about.interactions.nodes[0]
    await act('setAgentStatus(agentId: "agt_mary", status: AWAY) { status }')
    await act(`requeueInteraction(interactionId: "${interactionId}") { status }`)
    await eventually(async () => (await caseOf(caseId)).assignee === null)
    await act(`assignCase(caseId: "${caseId}", agentId: "agt_mary") { assigneeId }`)
    await eventually(
      async () => (await caseOf(caseId)).interactions.nodes[0].status === 'ABANDONED',
    )
    expect((await caseOf(caseId)).assignee.agentId).toBe('agt_mary')
    await act('setAgentStatus(agentId: "agt_mary", status: AVAILABLE) { status }')
    await act(`withdrawCase(caseId: "${caseId}") { status }`)
  })

  test('tells its events, which lead to the case', async () => {
    const { data } = await ask(`{ businessEvents(types: ["casework.case.*"], first: 100) {
      nodes { type subject { ... on Case { caseId title } } } } }`)
    const opened = data?.businessEvents?.nodes.find(
      ({ type }: any) => type === 'casework.case.opened',
    )
    expect(opened?.subject).toMatchObject({ title: 'Twice' })
  })
})

describe('a document', () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 7)])
  const request = (token?: string) =>
    act(
      'requestDocumentUpload(input: { fileName: "Überweisung (1).pdf", mediaType: "application/pdf" }) { uploadId url }',
      token === undefined ? {} : { token },
    )
  const send = (url: string, body: Buffer | undefined, method = 'PUT') =>
    fetch(url, { method, ...(body && { body: new Uint8Array(body) }) })

  test('is sent to an address, attached, and read at another, without a token of the caller', async () => {
    const token = bank.token({ partyId: 'pty_ada' })
    const { uploadId, url } = await request(token)
    expect(new URL(url).origin).toBe(bank.url)
    const sent = await send(url, pdf)
    expect(sent.status).toBe(201)
    expect(await sent.json()).toEqual({ uploadId, sizeBytes: pdf.length })
    const document = await act(
      `attachDocument(input: { title: "Payment", documentType: "receipt", uploadId: "${uploadId}" }) {
        documentId party { displayName } latest { sha256 download { url } } }`,
      { token },
    )
    expect(document.party.displayName).toBe('Ada L')
    const answer = await fetch(document.latest.download.url)
    expect(answer.status).toBe(200)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.equals(pdf)).toBe(true)
    const digest = createHash('sha256').update(pdf)
    expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${digest.copy().digest('base64')}:`)
    expect(document.latest.sha256).toBe(digest.digest('hex'))
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename*=UTF-8''%C3%9Cberweisung%20%281%29.pdf`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    const query = `{ party(partyId: "pty_ada") { documents { nodes { title } } cases { nodes { title } } } }`
    expect((await ask(query, token)).data.party.documents.nodes).toEqual([{ title: 'Payment' }])
    const graces = await ask(
      `{ document(documentId: "${document.documentId}") { title } }`,
      bank.token({ partyId: 'pty_grace' }),
    )
    expectAbsent(graces)
  })

  test('that is small is said in the mutation itself', async () => {
    const content = Buffer.from('Hello').toString('base64')
    const input = { title: 'A letter', documentType: 'letter', partyId: 'pty_ada', content }
    const query = `mutation ($input: AttachDocumentInput!) {
      attachDocument(input: $input) { latest { sizeBytes download { url } } } }`
    const variables = { input: { ...input, fileName: 'a.txt', mediaType: 'text/plain' } }
    const key = 'small-letter'
    const { body } = await bank.graph(query, variables, { key })
    const { latest } = body.data.attachDocument
    expect(latest.sizeBytes).toBe(5)
    expect(await (await fetch(latest.download.url)).text()).toBe('Hello')
    const again = await bank.graph(query, variables, { key })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('is taken once, up to its size, and not without a body', async () => {
    const { url } = await request()
    const large = await send(url, Buffer.alloc(10 * 1024 * 1024 + 1))
    expect([large.status, (await large.json()).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const empty = await send(url, undefined)
    expect([empty.status, (await empty.json()).code]).toEqual([400, 'BAD_REQUEST'])
    expect((await send(url, Buffer.alloc(10 * 1024 * 1024, 1))).status).toBe(201)
    const again = await send(url, pdf)
    expect([again.status, (await again.json()).code]).toEqual([409, 'CONTENT_ALREADY_RECEIVED'])
  })

  test('is neither sent nor read at an address that is not the bank’s', async () => {
    const { url } = await request()
    const problemOf = async (answer: Response) => {
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      return [answer.status, (await answer.json()).code]
    }
    const forged = url.replace(/[^.]+$/, 'A'.repeat(43))
    for (const [address, method] of [
      [forged, 'PUT'],
      [url, 'GET'],
      [`${bank.url}/document-contents`, 'GET'],
      [`${bank.url}/document-contents?token=a&token=b`, 'GET'],
    ] as const) {
      const answer = await send(address, method === 'PUT' ? pdf : undefined, method)
      expect(await problemOf(answer)).toEqual([404, 'CONTENT_NOT_FOUND'])
    }
    expect(await problemOf(await send(url, undefined, 'DELETE'))).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
    ])
    const { uploadId } = await request()
    const attach = `mutation { attachDocument(input: { title: "x", documentType: "x", partyId: "pty_ada", uploadId: "${uploadId}" }) { documentId } }`
    expect((await ask(attach)).errors[0].extensions.code).toBe('CONTENT_NOT_RECEIVED')
  })
})
