/**
 * Messages as WebSocket frames, one after the other in one buffer: each is what both texts enclose.
 * A server's frames are not masked, and not compressed here (RFC 6455, 5.2).
 */
export function textFrames(before: Buffer, bodies: readonly Buffer[], after: Buffer): Buffer {
  const around = before.length + after.length
  let size = 0
  for (const { length } of bodies) size += headBytes(length + around) + length + around
  const frames = Buffer.allocUnsafe(size)
  let at = 0
  for (const body of bodies) {
    at = writeHead(frames, at, body.length + around)
    at += before.copy(frames, at)
    at += body.copy(frames, at)
    at += after.copy(frames, at)
  }
  return frames
}

const finalText = 0x81

function headBytes(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10
}

function writeHead(frames: Buffer, at: number, length: number): number {
  frames[at] = finalText
  if (length < 126) return frames.writeUInt8(length, at + 1)
  if (length < 65_536) {
    frames[at + 1] = 126
    return frames.writeUInt16BE(length, at + 2)
  }
  frames[at + 1] = 127
  return frames.writeBigUInt64BE(BigInt(length), at + 2)
}
