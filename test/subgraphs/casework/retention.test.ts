import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { employee } from '../../kit/subgraph.ts'
import { contentsOf } from '../../../subgraphs/casework/contents/contents.ts'
import {
  mutate,
  attaching,
  bank,
  caseIn,
  contentId,
  day,
  deleteDiscarded,
  tryMutation,
  eraseDocuments,
  helloContent,
  openBank,
  readDocument,
  runs,
  sha256,
  eventsOf,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Document retention', () => {
  const attachShort = async () =>
    (await attaching('partyId: "pty_ada", retentionClass: SHORT_TERM, isShared: true')).data.act
      .documentId

  test('erases an expired document and its content, and keeps the hash', async () => {
    const id = await attachShort()
    const key = await contentId(id)
    bank.clock.advance(92 * day)
    await runs(eraseDocuments)
    const { document } = (await readDocument(id)).data
    expect(document).toMatchObject({
      status: 'ERASED',
      erasedAt: bank.bank.now().toISOString(),
      versions: [{ sha256, sizeBytes: 5, download: null }],
    })
    expect(JSON.stringify(document)).not.toContain('hello.txt')
    expect((await eventsOf(`document/${id}`)).at(-1)).toBe('casework.document.erased')
    await runs(deleteDiscarded)
    expect(await contentsOf(bank.bank).get(key)).toBeNull()
    expect(await runs(eraseDocuments)).toBe(0)
    const version = `addDocumentVersion(input: { documentId: "${id}", content: "${helloContent}", fileName: "x", mediaType: "a/b" }) { status }`
    expect((await tryMutation(version)).code).toBe('STATE_CONFLICT')
    expect(
      (await tryMutation(`placeLegalHold(input: { documentId: "${id}", reason: "x" }) { status }`))
        .code,
    ).toBe('STATE_CONFLICT')
  })

  test('keeps documents that are not due, under legal hold, or attached to an open case', async () => {
    const early = await attachShort()
    bank.clock.advance(91 * day)
    await runs(eraseDocuments)
    expect((await readDocument(early)).data.document.status).toBe('ACTIVE')
    const caseId = await caseIn('open')
    const open = (await attaching(`caseId: "${caseId}", retentionClass: SHORT_TERM`)).data.act
      .documentId
    const held = await attachShort()
    await mutate(
      `placeLegalHold(input: { documentId: "${held}", reason: "A lawsuit." }) { status }`,
    )
    bank.clock.advance(4000 * day)
    await runs(eraseDocuments)
    expect((await readDocument(open)).data.document.status).toBe('ACTIVE')
    expect((await readDocument(held)).data.document).toMatchObject({
      status: 'ACTIVE',
      legalHold: { reason: 'A lawsuit.', by: 'test-client' },
    })
    const hold = `placeLegalHold(input: { documentId: "${held}", reason: "x" }) { status }`
    expect((await tryMutation(hold)).code).toBe('STATE_CONFLICT')
    const release = `releaseLegalHold(documentId: "${held}") { status }`
    await mutate(release, {}, { caller: employee })
    expect((await tryMutation(release, {}, { caller: employee })).code).toBe('STATE_CONFLICT')
    await runs(eraseDocuments)
    expect((await readDocument(held)).data.document.status).toBe('ERASED')
    expect(await eventsOf(`document/${held}`)).toEqual(
      ['attached', 'held', 'released', 'erased'].map((fact) => `casework.document.${fact}`),
    )
  })

  test('either erases a document or lets a concurrent legal hold succeed', async () => {
    const id = await attachShort()
    bank.clock.advance(92 * day)
    const [, hold] = await Promise.all([
      runs(eraseDocuments),
      tryMutation(`placeLegalHold(input: { documentId: "${id}", reason: "Now." }) { status }`),
    ])
    const { status } = (await readDocument(id)).data.document
    expect(status).toBe(hold.code === undefined ? 'ACTIVE' : 'ERASED')
  })
})
