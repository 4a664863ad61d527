import type { Context } from '../../_kernel/context.ts'
import { insert, type Write } from '../../_kernel/writes.ts'
import type { Message, MessageDetails } from '../domain/message.ts'

const place = (sessionId: string) => `assist-session/${sessionId}`

export function insertMessages({ bank }: Context, messages: readonly Message[]): Write {
  const rows = messages.map((message) => ({
    message_id: message.messageId,
    session_id: message.sessionId,
    sequence: message.sequence,
    role: message.role,
    content: bank.vault.seal(message.content, place(message.sessionId)),
    status: message.status,
    finish_reason: message.finishReason,
    details: message.details,
    client_message_id: message.clientMessageId,
    created_at: message.createdAt,
  }))
  return insert('assist.message', ...rows)
}

/** The messages of a session after a given one, oldest first. */
export async function listMessages(
  { db, bank }: Context,
  sessionId: string,
  after: number,
  take: number,
): Promise<Message[]> {
  const rows = await db.assistMessage.findMany({
    where: { sessionId, sequence: { gt: after } },
    orderBy: { sequence: 'asc' },
    take,
  })
  return rows.map((row) => opened(bank, row))
}

/** The stored answer to a client message id. */
export async function findAnswer(
  { db, bank }: Context,
  sessionId: string,
  clientMessageId: string,
): Promise<{ asked: Message; answer: Message } | null> {
  const asked = await db.assistMessage.findFirst({ where: { sessionId, clientMessageId } })
  if (!asked) return null
  const answer = await db.assistMessage.findUnique({
    where: { sessionId_sequence: { sessionId, sequence: asked.sequence + 1 } },
  })
  return answer && { asked: opened(bank, asked), answer: opened(bank, answer) }
}

function opened(
  { vault }: Context['bank'],
  row: Awaited<ReturnType<Context['db']['assistMessage']['findFirst']>> & object,
): Message {
  return {
    ...row,
    role: row.role as Message['role'],
    status: row.status as Message['status'],
    content: vault.open(row.content, place(row.sessionId)),
    details: row.details as unknown as MessageDetails,
  }
}
