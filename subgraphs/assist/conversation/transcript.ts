import { sha256 } from './hashes.ts'

export const transcriptKinds = [
  'opened',
  'message',
  'model',
  'tool-call',
  'tool-result',
  'guardrail',
  'approval',
  'answer',
  'ended',
] as const
export type TranscriptKind = (typeof transcriptKinds)[number]

/**
 * One step of a session, with personal data masked. The hash of a line covers the line and the hash
 * of the previous line.
 */
export interface TranscriptLine {
  sessionId: string
  sequence: number
  kind: TranscriptKind
  at: Date
  /** The body of the step as JSON. */
  body: string
  hash: string
}

export interface Step {
  kind: TranscriptKind
  body: object
}

/** The hash that precedes the first line. */
export const noHash = '0'.repeat(64)

/**
 * The body of a line whose personal data was erased. The line keeps its hash, so that the lines
 * around it can still be verified.
 */
export const erasedBody = '{"erased":true}'

/** Converts steps to transcript lines that continue the hash chain of the session. */
export function linesOf(
  { sessionId, transcriptLength, transcriptHash }: Tail,
  steps: readonly Step[],
  at: Date,
): TranscriptLine[] {
  let hash = transcriptHash
  return steps.map(({ kind, body }, index) => {
    const line = {
      sessionId,
      sequence: transcriptLength + index + 1,
      kind,
      at,
      body: JSON.stringify(body),
    }
    hash = hashOf(hash, line)
    return { ...line, hash }
  })
}

/** The end of a transcript: its length and last hash. */
export interface Tail {
  sessionId: string
  transcriptLength: number
  transcriptHash: string
}

/**
 * Returns the number of the first line that is missing, changed or superfluous; null if the hash
 * chain is intact and ends at the tail.
 */
export function firstBadLine(lines: readonly TranscriptLine[], tail: Tail): number | null {
  let hash = noHash
  // An erasure replaces all bodies of a session at once; a single one was changed by somebody else.
  const isErased = lines.every(({ body }) => body === erasedBody)
  for (const [index, line] of lines.entries()) {
    const isIntact = isErased || line.hash === hashOf(hash, line)
    if (line.sequence !== index + 1 || !isIntact) return index + 1
    hash = line.hash
  }
  const isIntact = lines.length === tail.transcriptLength && hash === tail.transcriptHash
  return isIntact ? null : lines.length + 1
}

function hashOf(
  previousHash: string,
  { sessionId, sequence, kind, at, body }: Omit<TranscriptLine, 'hash'>,
) {
  const content = JSON.stringify([previousHash, sessionId, sequence, kind, at.toISOString(), body])
  return sha256(content)
}
