/**
 * Encodes messages as consecutive WebSocket frames in one buffer. The payload of each frame
 * consists of `prefix`, a body and `suffix`. The frames are not masked, because a server sends them
 * (RFC 6455, 5.2), and not compressed.
 */
export function textFrames(prefix: Buffer, bodies: readonly Buffer[], suffix: Buffer): Buffer {
  const fixedLength = prefix.length + suffix.length
  let size = 0
  for (const { length } of bodies) size += headBytes(length + fixedLength) + length + fixedLength
  const frames = Buffer.allocUnsafe(size)
  let offset = 0
  for (const body of bodies) {
    offset = writeHead(frames, offset, body.length + fixedLength)
    offset += prefix.copy(frames, offset)
    offset += body.copy(frames, offset)
    offset += suffix.copy(frames, offset)
  }
  return frames
}

const finalTextByte = 0x81

function headBytes(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10
}

function writeHead(frames: Buffer, offset: number, length: number): number {
  frames[offset] = finalTextByte
  if (length < 126) return frames.writeUInt8(length, offset + 1)
  if (length < 65_536) {
    frames[offset + 1] = 126
    return frames.writeUInt16BE(length, offset + 2)
  }
  frames[offset + 1] = 127
  return frames.writeBigUInt64BE(BigInt(length), offset + 2)
}
