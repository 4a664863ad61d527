import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAddress } from '../../../subgraphs/casework/contents/address.ts'
import { contentsOf } from '../../../subgraphs/casework/contents/contents.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { attaching, bank, day, deleteDiscarded, openBank, runs, upload } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Document uploads', () => {
  test('attaches received content to exactly one document, of the same client', async () => {
    const request = await upload()
    expect(request.maxBytes).toBe(10 * 1024 * 1024)
    const token = new URL(request.url).searchParams.get('token')
    const { contentId: key } = openAddress(bank.bank, token, 'send', bank.bank.now())
    expect(key).toBe(request.uploadId)
    const more = `partyId: "pty_ada", uploadId: "${request.uploadId}"`
    expect((await attaching(more)).code).toBe('CONTENT_NOT_RECEIVED')
    await contentsOf(bank.bank).put(key, Buffer.from('%PDF'))
    expect((await attaching(more, { caller: aCaller({ clientId: 'other' }) })).code).toBe(
      'UPLOAD_NOT_FOUND',
    )
    expect((await attaching(more)).data.act.versions).toMatchObject([
      { fileName: 'scan.pdf', mediaType: 'application/pdf', sizeBytes: 4 },
    ])
    expect((await attaching(more)).code).toBe('UPLOAD_NOT_FOUND')
  })

  test('deletes an upload with its content when it is not attached in time', async () => {
    // Delete what other tests left behind.
    bank.clock.advance(day)
    await runs(deleteDiscarded)
    const { uploadId } = await upload()
    await contentsOf(bank.bank).put(uploadId, Buffer.from('x'))
    bank.clock.advance(70 * 60_000 - 1)
    expect(await runs(deleteDiscarded)).toBe(0)
    bank.clock.advance(1)
    expect((await attaching(`partyId: "pty_ada", uploadId: "${uploadId}"`)).code).toBe(
      'UPLOAD_NOT_FOUND',
    )
    expect(await runs(deleteDiscarded)).toBe(1)
    expect(await contentsOf(bank.bank).get(uploadId)).toBeNull()
    expect(
      await bank.rows('select from casework.content where content_id = $1', [uploadId]),
    ).toEqual([])
  })

  test('signs a URL for one purpose that expires', async () => {
    const { url } = await upload()
    const token = new URL(url).searchParams.get('token')!
    const now = bank.bank.now()
    expect(() => openAddress(bank.bank, token, 'read', now)).toThrow(
      expect.objectContaining({ code: 'CONTENT_NOT_FOUND' }),
    )
    const late = new Date(now.getTime() + 60 * 60_000)
    expect(() => openAddress(bank.bank, token, 'send', late)).toThrow(
      expect.objectContaining({ code: 'CONTENT_ADDRESS_EXPIRED' }),
    )
    const [keyId, payload, signature] = token.split('.')
    const other = Buffer.from(Buffer.from(payload!, 'base64url').toString().replace('scan', 'spam'))
    const forged = [
      `${keyId}.${other.toString('base64url')}.${signature}`,
      `other.${payload}.${signature}`,
      `__proto__.${payload}.${signature}`,
      `${keyId}.${payload}.${signature!.slice(0, -2)}`,
      `${keyId}.${payload}`,
      '',
      undefined,
      [token],
    ]
    for (const text of forged) {
      expect(() => openAddress(bank.bank, text, 'send', now)).toThrow(
        expect.objectContaining({ code: 'CONTENT_NOT_FOUND' }),
      )
    }
    const elsewhere = {
      ...bank.bank,
      pageKeys: { current: 'test', keys: { test: Buffer.alloc(32, 8) } },
    }
    expect(() => openAddress(elsewhere, token, 'send', now)).toThrow(
      expect.objectContaining({ code: 'CONTENT_NOT_FOUND' }),
    )
  })
})

test('continues with other content when some content cannot be deleted', async () => {
  bank.clock.advance(day)
  await runs(deleteDiscarded)
  const [stuck, free] = [await upload(), await upload()]
  const store = contentsOf(bank.bank)
  for (const { uploadId } of [stuck, free]) await store.put(uploadId, Buffer.from('x'))
  bank.clock.advance(day)
  const remove = store.delete
  store.delete = (key) =>
    key === stuck.uploadId
      ? Promise.reject(new Error('The content is locked.'))
      : remove.call(store, key)
  await runs(deleteDiscarded)
  const left = async () =>
    (await bank.rows('select content_id from casework.content where discard_at is not null')).map(
      (row) => row['content_id'],
    )
  expect(await store.get(free.uploadId)).toBeNull()
  expect(await left()).toEqual([stuck.uploadId])
  store.delete = remove
  bank.clock.advance(day)
  await runs(deleteDiscarded)
  expect(await store.get(stuck.uploadId)).toBeNull()
  expect(await left()).toEqual([])
})
