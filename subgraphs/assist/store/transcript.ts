import type { Context } from '../../../kernel/environment/context.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { TranscriptKind, TranscriptLine } from '../conversation/transcript.ts'

export function insertLines(lines: readonly TranscriptLine[]): Write {
  const rows = lines.map(({ sessionId, sequence, kind, at, body, hash }) => {
    return { session_id: sessionId, sequence, kind, at, body, hash }
  })
  return insert('assist.transcript_line', ...rows)
}

/** Returns the transcript lines of a session with a sequence number above `after`, in order. */
export async function listLines(
  { db }: Context,
  sessionId: string,
  after = 0,
  take?: number,
): Promise<TranscriptLine[]> {
  const rows = await db.transcriptLine.findMany({
    where: { sessionId, sequence: { gt: after } },
    orderBy: { sequence: 'asc' },
    ...(take !== undefined && { take }),
  })
  return rows.map((row) => ({ ...row, kind: row.kind as TranscriptKind }))
}
