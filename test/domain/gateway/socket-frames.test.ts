import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { textFrames } from '../../../gateway/socket-frames.ts'

/** The messages that a client library reads from these bytes. */
async function read(bytes: Buffer, count: number): Promise<string[]> {
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  const socket = new WebSocket(null as never, undefined, { autoPong: false } as never)
  const received: string[] = []
  const all = new Promise<void>((resolve, reject) => {
    socket.on('message', (data, isBinary) => {
      received.push(`${isBinary} ${(data as Buffer).toString()}`)
      if (received.length === count) resolve()
    })
    socket.on('error', reject)
  })
  type Inner = {
    setSocket(stream: Duplex, head: Buffer, options: object): void
    _isServer: boolean
  }
  const inner = socket as unknown as Inner
  inner._isServer = false
  inner.setSocket(stream, Buffer.alloc(0), { maxPayload: 1e7, skipUTF8Validation: false })
  stream.push(bytes)
  await all
  return received
}

test('encodes messages of every length so that clients read them unchanged', async () => {
  const [before, after] = [Buffer.from('{"ü":'), Buffer.from('}')]
  const around = before.length + after.length
  // Around the lengths at which the header of a frame grows.
  const lengths = [0, 1, 124, 125, 126, 127, 65_534, 65_535, 65_536, 65_537, 200_000]
  const bodies = lengths.map((length) => Buffer.from('x'.repeat(Math.max(0, length - around))))
  const received = await read(textFrames(before, bodies, after), bodies.length)
  expect(received).toEqual(bodies.map((body) => `false {"ü":${body.toString()}}`))
})
