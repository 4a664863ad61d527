/** Cases and documents as clients use them: routed over GraphQL, uploaded and downloaded over HTTP. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../kit/absent.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'
import { runMutation } from './kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform()
  for (const [partyId, givenName] of [
    ['pty_ada', 'Ada'],
    ['pty_grace', 'Grace'],
  ]) {
    await mutate(
      `createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "${givenName}", familyName: "L" }) { partyId }`,
    )
  }
  await mutate('createRoutingQueue(input: { queueId: "que_work", name: "Work" }) { queueId }')
  await mutate(`createRoutingProfile(input: { routingProfileId: "rtp_work", name: "Work",
    queues: [{ queueId: "que_work", channel: TASK }]
    mediaConcurrencies: [{ channel: TASK, concurrency: 1 }] }) { routingProfileId }`)
  await mutate(
    'createAgent(input: { agentId: "agt_mary", name: "Mary", routingProfileId: "rtp_work", status: "available" }) { agentId }',
  )
})
afterAll(() => bank.stop())

const mutate = (field: string, options = {}) => runMutation(bank, field, options)

async function queryGraph(query: string, token?: string) {
  const { body } = await bank.graph(query, {}, token === undefined ? {} : { token })
  return body
}

const caseOf = async (caseId: string) =>
  (
    await queryGraph(`{ case(caseId: "${caseId}") { status queueId assignee { agentId name load { channel count } }
      queue { name } party { displayName } interactions { nodes { interactionId status decision { reasons { code } } } }
      timeline { nodes { kind } } } }`)
  ).data.case
const open = (more = '') =>
  mutate(
    `openCase(input: { caseType: COMPLAINT, title: "Twice", partyId: "pty_ada", routingProfileId: "rtp_work" ${more} }) { caseId }`,
  )

describe('case with a routing profile', () => {
  test('is assigned to a free agent; the next case waits and is assigned when the agent is done', async () => {
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
    await mutate(`withdrawCase(caseId: "${first.caseId}") { status }`)
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
    await mutate(`withdrawCase(caseId: "${second.caseId}") { status }`)
  })

  test('is routed again when requeued, and leaves routing when assigned by hand', async () => {
    const { caseId } = await open()
    const about = await eventually(async () => {
      const found = await caseOf(caseId)
      return found.assignee && found
    })
    const { interactionId } = about.interactions.nodes[0]
    await mutate('setAgentStatus(agentId: "agt_mary", status: AWAY) { status }')
    await mutate(`requeueInteraction(interactionId: "${interactionId}") { status }`)
    await eventually(async () => (await caseOf(caseId)).assignee === null)
    await mutate(`assignCase(caseId: "${caseId}", agentId: "agt_mary") { assigneeId }`)
    await eventually(
      async () => (await caseOf(caseId)).interactions.nodes[0].status === 'ABANDONED',
    )
    expect((await caseOf(caseId)).assignee.agentId).toBe('agt_mary')
    await mutate('setAgentStatus(agentId: "agt_mary", status: AVAILABLE) { status }')
    await mutate(`withdrawCase(caseId: "${caseId}") { status }`)
  })

  test('publishes events that link to the case', async () => {
    const { data } = await queryGraph(`{ businessEvents(types: ["casework.case.*"], first: 100) {
      nodes { type subject { ... on Case { caseId title } } } } }`)
    const opened = data?.businessEvents?.nodes.find(
      ({ type }: any) => type === 'casework.case.opened',
    )
    expect(opened?.subject).toMatchObject({ title: 'Twice' })
  })
})

describe('document', () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 7)])
  const request = (token?: string) =>
    mutate(
      'requestDocumentUpload(input: { fileName: "Überweisung (1).pdf", mediaType: "application/pdf" }) { uploadId url }',
      token === undefined ? {} : { token },
    )
  const send = (url: string, body: Buffer | undefined, method = 'PUT') =>
    fetch(url, { method, ...(body && { body: new Uint8Array(body) }) })

  test('is uploaded to a URL, attached, and downloaded from another URL without an access token', async () => {
    const token = bank.token({ partyId: 'pty_ada' })
    const { uploadId, url } = await request(token)
    expect(new URL(url).origin).toBe(bank.url)
    const sent = await send(url, pdf)
    expect(sent.status).toBe(201)
    expect(await sent.json()).toEqual({ uploadId, sizeBytes: pdf.length })
    const document = await mutate(
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
    expect((await queryGraph(query, token)).data.party.documents.nodes).toEqual([
      { title: 'Payment' },
    ])
    const graces = await queryGraph(
      `{ document(documentId: "${document.documentId}") { title } }`,
      bank.token({ partyId: 'pty_grace' }),
    )
    expectAbsent(graces)
  })

  test('with small content can be sent in the mutation', async () => {
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

  test('accepts one upload, up to its size limit and with a body', async () => {
    const { url } = await request()
    const large = await send(url, Buffer.alloc(10 * 1024 * 1024 + 1))
    expect([large.status, (await large.json()).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const empty = await send(url, undefined)
    expect([empty.status, (await empty.json()).code]).toEqual([400, 'BAD_REQUEST'])
    expect((await send(url, Buffer.alloc(10 * 1024 * 1024, 1))).status).toBe(201)
    const again = await send(url, pdf)
    expect([again.status, (await again.json()).code]).toEqual([409, 'CONTENT_ALREADY_RECEIVED'])
  })

  test('is not available at forged or incomplete URLs', async () => {
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
    expect((await queryGraph(attach)).errors[0].extensions.code).toBe('CONTENT_NOT_RECEIVED')
  })
})
