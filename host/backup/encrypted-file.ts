import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, constants } from 'node:zlib'

/**
 * A file of a backup: the format and a nonce, then gzip data encrypted with AES-256-GCM, then the
 * authentication tag. The name of the file in the backup is authenticated, too, so a file cannot
 * take the place of another.
 */
const format = Buffer.from('BGBACK01')
const nonceBytes = 12
const tagBytes = 16
const headerBytes = format.length + nonceBytes

/** The error for a file that was changed, or was encrypted with another key. */
export class CannotDecrypt extends Error {
  constructor(path: string) {
    super(
      `${path} cannot be decrypted: it was changed, or BACKUP_KEY is not the key of the backup.`,
    )
  }
}

/**
 * Encrypts a stream into a file. The file appears when it is complete and on the disk; a file that
 * exists is replaced.
 */
export async function encryptStream(source: Readable, path: string, name: string, key: Buffer) {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  async function* withHeaderAndTag(encrypted: AsyncIterable<Buffer>) {
    yield Buffer.concat([format, nonce])
    yield* encrypted
    yield cipher.getAuthTag()
  }
  try {
    const gzip = createGzip({ level: constants.Z_BEST_SPEED })
    const target = createWriteStream(draft, { mode: 0o600, flush: true })
    await pipeline(source, gzip, cipher, withHeaderAndTag, target)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

export function encryptText(text: string, path: string, name: string, key: Buffer): Promise<void> {
  return encryptStream(Readable.from([Buffer.from(text)]), path, name, key)
}

/**
 * Decrypts a file into a stream. Throws `CannotDecrypt` at the end if the file was changed: what was
 * written until then must not be used.
 */
async function decryptStream(
  path: string,
  name: string,
  key: Buffer,
  target: NodeJS.WritableStream,
): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size < headerBytes + tagBytes) throw new CannotDecrypt(path)
    const header = Buffer.alloc(headerBytes)
    await file.read(header, 0, headerBytes, 0)
    const tag = Buffer.alloc(tagBytes)
    await file.read(tag, 0, tagBytes, size - tagBytes)
    if (!header.subarray(0, format.length).equals(format)) throw new CannotDecrypt(path)
    const nonce = header.subarray(format.length)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(name)).setAuthTag(tag)
    const encrypted = createReadStream(path, { start: headerBytes, end: size - tagBytes - 1 })
    await pipeline(encrypted, decipher, createGunzip(), target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Wrong bytes are no gzip data either, which may be noticed before the tag is checked.
    const isWrong = (error as Error).message.includes('authenticate') || code?.startsWith('Z_')
    throw isWrong ? new CannotDecrypt(path) : error
  } finally {
    await file.close()
  }
}

/** Returns the text of a file that `encryptText` wrote. */
export async function decryptText(path: string, name: string, key: Buffer): Promise<string> {
  const chunks: Buffer[] = []
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  await decryptStream(path, name, key, target)
  return Buffer.concat(chunks).toString('utf8')
}

/** Encrypts a file. */
export function encryptFile(
  source: string,
  path: string,
  name: string,
  key: Buffer,
): Promise<void> {
  return encryptStream(createReadStream(source), path, name, key)
}

/** Decrypts into a file that only its owner can read. The file appears when it is complete. */
export async function decryptFile(path: string, name: string, key: Buffer, target: string) {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const draft = `${target}.tmp`
  await decryptStream(path, name, key, createWriteStream(draft, { mode: 0o600 }))
  await rename(draft, target)
}

/** Makes the names in a folder durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
