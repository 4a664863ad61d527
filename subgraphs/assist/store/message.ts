import type { Context } from '../../../kernel/environment/context.ts'
import { decryptIn, encryptIn } from '../../../kernel/environment/vault-columns.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { Message, MessageDetails } from '../domain/message.ts'
import { messageContent } from './vault-columns.ts'

/** The columns that the places of its texts name. */
const placedRow = ({ messageId, sessionId }: Pick<Message, 'messageId' | 'sessionId'>) => ({
  message_id: messageId,
  session_id: sessionId,
})

export function insertMessages({ bank }: Context, messages: readonly Message[]): Write {
  const rows = messages.map((message) => ({
    message_id: message.messageId,
    session_id: message.sessionId,
    sequence: message.sequence,
    role: message.role,
    content: encryptIn(bank.vault, messageContent, message.content, placedRow(message)),
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
    content: decryptIn(vault, messageContent, row.content, placedRow(row)),
    details: row.details as unknown as MessageDetails,
  }
}
