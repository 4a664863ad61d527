import type { Context } from '../../../kernel/environment/context.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { Message, MessageDetails } from '../domain/message.ts'

const vaultPlace = (sessionId: string) => `assist-session/${sessionId}`

export function insertMessages({ bank }: Context, messages: readonly Message[]): Write {
  const rows = messages.map((message) => ({
    message_id: message.messageId,
    session_id: message.sessionId,
    sequence: message.sequence,
    role: message.role,
    content: bank.vault.encrypt(message.content, vaultPlace(message.sessionId)),
    status: message.status,
    finish_reason: message.finishReason,
    details: message.details,
    client_message_id: message.clientMessageId,
    created_at: message.createdAt,
  }))
  return insert('assist.message', ...rows)
}

/** Returns the messages of a session after the sequence `after`, oldest first. */
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
  return rows.map((row) => messageFromRow(bank, row))
}

/** Returns the stored message with a `clientMessageId` and its answer; null if there is none. */
export async function findAnswer(
  { db, bank }: Context,
  sessionId: string,
  clientMessageId: string,
): Promise<{ input: Message; answer: Message } | null> {
  const question = await db.assistMessage.findFirst({ where: { sessionId, clientMessageId } })
  if (!question) return null
  const answer = await db.assistMessage.findUnique({
    where: { sessionId_sequence: { sessionId, sequence: question.sequence + 1 } },
  })
  return answer && { input: messageFromRow(bank, question), answer: messageFromRow(bank, answer) }
}

function messageFromRow(
  { vault }: Context['bank'],
  row: Awaited<ReturnType<Context['db']['assistMessage']['findFirst']>> & object,
): Message {
  return {
    ...row,
    role: row.role as Message['role'],
    status: row.status as Message['status'],
    content: vault.decrypt(row.content, vaultPlace(row.sessionId)),
    details: row.details as unknown as MessageDetails,
  }
}
