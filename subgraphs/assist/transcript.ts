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

/** One step of a session, in masked words. Each line is hashed with the one before it. */
export interface TranscriptLine {
  sessionId: string
  sequence: number
  kind: TranscriptKind
  at: Date
  /** JSON. */
  body: string
  hash: string
}

export interface Step {
  kind: TranscriptKind
  body: object
}

/** What the first line is hashed with. */
export const noHash = '0'.repeat(64)

/** The lines that steps become, after a session's last one. */
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

/** Where a transcript ends. */
export interface Tail {
  sessionId: string
  transcriptLength: number
  transcriptHash: string
}

/** The number of the first line that is not as it was written; null when all are, up to the tail. */
export function firstBadLine(lines: readonly TranscriptLine[], tail: Tail): number | null {
  let hash = noHash
  for (const [index, line] of lines.entries()) {
    if (line.sequence !== index + 1 || line.hash !== hashOf(hash, line)) return index + 1
    hash = line.hash
  }
  const isWhole = lines.length === tail.transcriptLength && hash === tail.transcriptHash
  return isWhole ? null : lines.length + 1
}

function hashOf(
  before: string,
  { sessionId, sequence, kind, at, body }: Omit<TranscriptLine, 'hash'>,
) {
  const content = JSON.stringify([before, sessionId, sequence, kind, at.toISOString(), body])
  return sha256(content)
}
