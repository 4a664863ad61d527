import { createHash } from 'node:crypto'

/**
 * A checkpoint of a hash chain. It contains the IDs and the digests of a batch of lines. Its hash
 * covers the digests and the hash of the previous checkpoint, so that no line can be changed,
 * removed or moved unnoticed.
 */
export interface Checkpoint {
  /** The number of its first line. Lines are numbered from 1, without gaps. */
  firstLine: number
  ids: readonly string[]
  /** The SHA-256 of each line, one after the other. */
  digests: Buffer
  /** The hash of the checkpoint, in hexadecimal. */
  hash: string
}

/** The first line that does not match its checkpoint. */
export interface ChainMismatch {
  badLine: number
  id: string | null
  detail: string
}

/** The hash that precedes the first checkpoint. */
export const initialHash = '0'.repeat(64)

const digestBytes = 32

/** Returns the SHA-256 of the content of a line, as base64url. */
export const digestOf = (content: string): string =>
  createHash('sha256').update(content).digest('base64url')

/** Returns the digests of lines, one after the other. `digestOfLine` returns them as base64url. */
export const joinDigests = (ids: readonly string[], digestOfLine: (id: string) => string): Buffer =>
  Buffer.concat(ids.map((id) => Buffer.from(digestOfLine(id), 'base64url')))

/**
 * Compares a checkpoint with its lines and with the hash of the previous checkpoint. `digests` has
 * the current digest of each line that exists, by ID; `noun` names a line in the detail. Returns the
 * first mismatch; null if there is none.
 */
export function findMismatch(
  { firstLine, ids, digests, hash }: Checkpoint,
  expectedLine: number,
  previousHash: string,
  currentDigests: ReadonlyMap<string, string>,
  noun: string,
): ChainMismatch | null {
  const mismatch = (index: number, detail: string): ChainMismatch => {
    return { badLine: expectedLine + index, id: ids[index] ?? null, detail }
  }
  if (firstLine !== expectedLine) return mismatch(0, 'A line is missing before this one.')
  for (const [index, id] of ids.entries()) {
    const current = currentDigests.get(id)
    if (current === undefined) return mismatch(index, `The ${noun} is missing.`)
    const recorded = digests.subarray(index * digestBytes, (index + 1) * digestBytes)
    if (recorded.toString('base64url') === current) continue
    return mismatch(index, `The ${noun} differs from its digest in the checkpoint.`)
  }
  const expectedHash = createHash('sha256')
    .update(previousHash, 'hex')
    .update(digests)
    .digest('hex')
  if (digests.length === ids.length * digestBytes && expectedHash === hash) return null
  return mismatch(0, 'The hash of the checkpoint that begins at this line is wrong.')
}
