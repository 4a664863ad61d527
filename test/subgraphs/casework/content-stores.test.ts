import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseConfig } from '../../../kernel/environment/config.ts'
import type { ContentStore } from '../../../kernel/storage/content-store.ts'
import { diskStore } from '../../../kernel/storage/disk.ts'
import { s3Store } from '../../../kernel/storage/s3.ts'
import { freePort } from '../../kit/free-port.ts'

const secret = 's3/cret+key'
const hex = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/** Whether a request has a valid AWS Signature Version 4 over its headers and body. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { authorization = '' } = request.headers
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!parts) return false
  const [, key, date, region, names, signature] = parts as unknown as string[]
  const header = (name: string) => String(request.headers[name] ?? '').trim()
  const bodyHash = header('x-amz-content-sha256')
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== hex(body)) return false
  const [path, query = ''] = request.url!.split('?')
  const headers = names!.split(';').map((name) => `${name}:${header(name)}\n`)
  const canonical = [request.method, path, query, headers.join(''), names, bodyHash].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, hex(canonical)].join('\n')
  const signing = [date!, region!, 's3', 'aws4_request'].reduce(
    (last: string | Buffer, part) => hmac(last, part),
    `AWS4${secret}`,
  )
  return key === 'key-id' && hmac(signing, toSign).toString('hex') === signature
}

/** A minimal S3 server: signed conditional PUT, GET and DELETE. */
function bucketServer(objects: Map<string, Buffer>): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const answer = (status: number, content?: Buffer | string) =>
        response.writeHead(status).end(content)
      const key = request.url!.split('?')[0]!
      if (!isSigned(request, body))
        return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
      if (request.method === 'DELETE') return (objects.delete(key), answer(204))
      if (request.method === 'GET') {
        const found = objects.get(key)
        return found ? answer(200, found) : answer(404, '<Error><Code>NoSuchKey</Code></Error>')
      }
      if (request.headers['if-none-match'] === '*' && objects.has(key)) {
        return answer(412, '<Error><Code>PreconditionFailed</Code></Error>')
      }
      objects.set(key, body)
      return answer(200)
    })
  })
}

const objects = new Map<string, Buffer>()
let folder: string
let server: Server
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-contents-'))
  const port = await freePort()
  server = bucketServer(objects)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  url = `http://key-id:${encodeURIComponent(secret)}@127.0.0.1:${port}/bucket?region=eu-central-1`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const bucketAt = (text: string) => s3Store(parseConfig({ DOCUMENTS_URL: text }).documents!, 'live/')
const stores: [string, () => ContentStore][] = [
  ['on disk', () => diskStore(join(folder, 'deep', 'er'))],
  ['in a bucket', () => bucketAt(url)],
]

describe.each(stores)('Content store %s', (_name, open) => {
  const bytes = Buffer.from([0, 255, 10, 13, 128, 0])

  test('returns content unchanged until it is deleted', async () => {
    const store = open()
    expect(await store.get('cnt_1')).toBeNull()
    expect(await store.put('cnt_1', bytes)).toBe(true)
    expect(await store.get('cnt_1')).toEqual(bytes)
    await store.delete('cnt_1')
    expect(await store.get('cnt_1')).toBeNull()
    await store.delete('cnt_1')
  })

  test('never overwrites content', async () => {
    const store = open()
    expect(await store.put('cnt_2', bytes)).toBe(true)
    expect(await store.put('cnt_2', Buffer.from('other'))).toBe(false)
    expect(await store.get('cnt_2')).toEqual(bytes)
  })

  test('stores exactly one of several concurrent contents under one key, completely', async () => {
    const store = open()
    const large = Array.from({ length: 8 }, (_, at) => Buffer.alloc(200_000, at + 1))
    const retained = await Promise.all(large.map((each) => store.put('cnt_3', each)))
    expect(retained.filter(Boolean)).toHaveLength(1)
    expect(await store.get('cnt_3')).toEqual(large[retained.indexOf(true)])
  })
})

test('leaves no files of rejected contents on disk', async () => {
  const names = await readdir(join(folder, 'deep', 'er'))
  expect(names.toSorted((a, b) => a.localeCompare(b))).toEqual(['cnt_2', 'cnt_3'])
})

test('includes the environment in the keys of a bucket', () => {
  expect([...objects.keys()]).toEqual(['/bucket/live/cnt_2', '/bucket/live/cnt_3'])
})

test('returns DEPENDENCY_UNAVAILABLE when the bucket is unreachable or rejects the request', async () => {
  for (const text of [url.replace('key-id', 'other'), 'http://a:b@127.0.0.1:9/bucket']) {
    const store = bucketAt(text)
    const unavailable = expect.objectContaining({ code: 'DEPENDENCY_UNAVAILABLE' })
    await expect(store.put('cnt_4', Buffer.from('x'))).rejects.toEqual(unavailable)
    await expect(store.get('cnt_4')).rejects.toEqual(unavailable)
    await expect(store.delete('cnt_4')).rejects.toEqual(unavailable)
  }
})

test.each(['nonsense', 'http://host/bucket', 'https://a:b@host', 'ftp://a:b@host/bucket'])(
  'rejects the DOCUMENTS_URL setting %s',
  (text) => {
    expect(() => parseConfig({ DOCUMENTS_URL: text })).toThrow(/DOCUMENTS_URL must be https:/)
  },
)

test('a file on disk is synced with its folder, and a new folder with its parent', async () => {
  const handle = await open(folder, 'r')
  const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
  await handle.close()
  const store = diskStore(join(folder, 'new', 'est'))
  await store.put('cnt_1', Buffer.from('one'))
  // Two parents of new folders, the file, and its folder.
  expect(sync).toHaveBeenCalledTimes(4)
  expect(await store.put('cnt_1', Buffer.from('one'))).toBe(false)
  expect(sync).toHaveBeenCalledTimes(6)
  sync.mockRestore()
})
