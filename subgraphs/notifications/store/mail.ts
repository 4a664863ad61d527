import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { Channel } from '../domain/channel.ts'
import type { Message } from '../domain/transport.ts'

/** A message in a party's mailbox at the bank. */
export interface Mail {
  mailId: string
  notificationId: string
  partyId: string
  channel: Channel
  address: string
  subject: string | null
  body: string
  receivedAt: Date
}

type MailRow = Prisma.MailGetPayload<object>

const fromRow = (row: MailRow): Mail => ({ ...row, channel: row.channel as Channel })

/**
 * Inserts messages into the mailbox. A unique index prevents a second message for the same
 * notification.
 */
export function insertMails(
  messages: readonly Message[],
  newMailId: () => string,
  receivedAt: Date,
): Write {
  const rows = messages.map((message) => ({
    mail_id: newMailId(),
    notification_id: message.notificationId,
    party_id: message.partyId,
    channel: message.channel,
    address: message.address,
    subject: message.subject,
    body: message.body,
    received_at: receivedAt,
  }))
  return insert('notifications.mail', ...rows)
}

/** Lists the messages in a party's mailbox, oldest first. */
export async function listMails(
  context: Context,
  { partyId, channel }: { partyId: string; channel: Channel | null },
  after: string[] | null,
  take: number,
): Promise<Mail[]> {
  const rows = await context.db.mail.findMany({
    where: {
      partyId,
      ...(channel !== null && { channel }),
      ...afterTimeAndId('receivedAt', 'mailId', after),
    },
    orderBy: [{ receivedAt: 'asc' }, { mailId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}
