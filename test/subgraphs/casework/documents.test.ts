import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAddress } from '../../../subgraphs/casework/contents/address.ts'
import { contentsOf } from '../../../subgraphs/casework/contents/contents.ts'
import {
  attaching,
  bank,
  caseIn,
  contentId,
  day,
  documentFields,
  does,
  tryMutation,
  files,
  folder,
  openBank,
  readCase,
  readDocument,
  sha256,
  eventsOf,
  unique,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Attaching a document', () => {
  test('stores the content under its hash with owner-only permissions and returns a download URL', async () => {
    const { data, errors } = await attaching('partyId: "pty_ada", isShared: true')
    expect(errors).toEqual([])
    const { documentId, versions } = data.act
    expect(data.act).toMatchObject({
      partyId: 'pty_ada',
      caseId: null,
      status: 'ACTIVE',
      retentionClass: 'SERVICING',
      retentionStartsAt: '2026-03-02T09:00:00.000Z',
      eraseAt: '2028-03-02T09:00:00.000Z',
      latest: { number: 1, sha256 },
    })
    expect(versions).toMatchObject([
      { number: 1, fileName: 'hello.txt', mediaType: 'text/plain', sizeBytes: 5, sha256 },
    ])
    const { url, expiresAt } = versions[0].download
    expect(expiresAt).toBe('2026-03-02T09:05:00.000Z')
    const token = new URL(url).searchParams.get('token')
    const opened = openAddress(bank.bank, token, 'read', bank.bank.now())
    expect(opened).toMatchObject({
      contentId: await contentId(documentId),
      fileName: 'hello.txt',
      sha256,
    })
    expect((await contentsOf(bank.bank).get(opened.contentId))!.toString()).toBe('Hello')
    expect((await stat(join(folder(), opened.contentId))).mode & 0o777).toBe(0o600)
    expect((await stat(folder())).mode & 0o777).toBe(0o700)
    expect(await eventsOf(`document/${documentId}`)).toEqual(['casework.document.attached'])
  })

  test('adds versions and keeps earlier ones', async () => {
    const { documentId } = (await attaching('partyId: "pty_ada"')).data.act
    bank.clock.advance(day)
    const content = Buffer.from('Hello again').toString('base64')
    const { data } =
      await tryMutation(`addDocumentVersion(input: { documentId: "${documentId}", content: "${content}",
      fileName: "again.txt", mediaType: "text/plain" }) { ${documentFields} }`)
    expect(data.act.versions.map(({ number, fileName }: any) => [number, fileName])).toEqual([
      [1, 'hello.txt'],
      [2, 'again.txt'],
    ])
    expect(data.act.latest.number).toBe(2)
    // The retention period restarts with the latest version.
    expect(data.act.retentionStartsAt).toBe(bank.bank.now().toISOString())
    expect((await contentsOf(bank.bank).get(await contentId(documentId)))!.toString()).toBe('Hello')
  })

  test('applies the retention class of the case type and appears in the timeline of the case', async () => {
    const caseId = await caseIn('in-progress')
    const { data } = await attaching(`caseId: "${caseId}", isShared: true`)
    expect(data.act).toMatchObject({
      partyId: 'pty_ada',
      caseId,
      retentionClass: 'COMPLAINT',
      retentionStartsAt: null,
      eraseAt: null,
    })
    const { timeline } = (await readCase(caseId)).data.case
    expect(timeline.nodes.at(-1)).toMatchObject({
      kind: 'DOCUMENT',
      text: data.act.documentId,
      isShared: true,
    })
    expect((await eventsOf(`case/${caseId}`)).at(-1)).toBe('casework.case.document-attached')
    await does('resolveCase', caseId)
    await does('closeCase', caseId)
    const retained = (await readDocument(data.act.documentId)).data.document
    expect(retained.retentionStartsAt).toBe(bank.bank.now().toISOString())
    expect(await eventsOf(`document/${data.act.documentId}`)).toEqual([
      'casework.document.attached',
      'casework.document.retention-started',
    ])
    expect((await attaching(`caseId: "${caseId}"`)).code).toBe('STATE_CONFLICT')
  })

  test.each([
    ['partyId: "pty_none"', 'PARTY_NOT_FOUND', '/partyId'],
    ['caseId: "case_none"', 'CASE_NOT_FOUND', '/caseId'],
    ['isShared: true', 'VALIDATION_FAILED', '/partyId'],
    ['partyId: "pty_ada", uploadId: "cnt_none"', 'UPLOAD_NOT_FOUND', '/uploadId'],
    ['partyId: "pty_ada", uploadId: null', 'VALIDATION_FAILED', '/uploadId'],
  ])('rejects %s', async (more, code, pointer) => {
    const before = (await bank.rows('select count(*)::int from casework.document'))[0]
    const { errors } = await attaching(more)
    expect(errors[0]!.extensions).toMatchObject({ code, errors: [{ pointer }] })
    expect((await bank.rows('select count(*)::int from casework.document'))[0]).toEqual(before)
  })

  test.each([
    ['fileName: "../x", mediaType: "text/plain"', '/fileName'],
    ['fileName: "a/b.txt", mediaType: "text/plain"', '/fileName'],
    ['fileName: "..", mediaType: "text/plain"', '/fileName'],
    ['fileName: "x", mediaType: "text/html; charset=utf-8"', '/mediaType'],
    ['fileName: "x", mediaType: "html"', '/mediaType'],
  ])('rejects an upload with %s', async (file, pointer) => {
    const { errors } = await tryMutation(`requestDocumentUpload(input: { ${file} }) { uploadId }`)
    expect(errors[0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer }],
    })
  })

  test('rejects another party than the case’s, and invalid Base64', async () => {
    const caseId = await caseIn('open')
    const { errors } = await attaching(`caseId: "${caseId}", partyId: "pty_grace"`)
    expect(errors[0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/partyId' }],
    })
    for (const content of ['', 'abc', 'ab=c', 'äöü=', 'A'.repeat(64_004)]) {
      const answer = await bank.execute(
        `mutation ($content: Base64!) { attachDocument(input: { title: "x", documentType: "x", partyId: "pty_ada",
          content: $content, fileName: "x", mediaType: "a/b" }) { documentId } }`,
        { content },
      )
      expect(answer.code).toBe('VALIDATION_FAILED')
    }
  })

  test('is idempotent by id and by idempotency key and stores the content once', async () => {
    const key = unique('key')
    const before = await files()
    const first = await attaching('partyId: "pty_ada"', { idempotencyKey: key })
    const again = await attaching('partyId: "pty_ada"', { idempotencyKey: key })
    expect(first.isReplayed).toBe(false)
    expect(again.isReplayed).toBe(true)
    expect(again.data.act.documentId).toBe(first.data.act.documentId)
    const named = `partyId: "pty_ada", documentId: "${unique('doc')}"`
    const one = await attaching(named)
    expect((await attaching(named)).data.act.documentId).toBe(one.data.act.documentId)
    expect(await files()).toBe(before + 2)
    expect((await attaching(`${named}, isShared: true`)).code).toBe('RESOURCE_EXISTS')
  })
})
