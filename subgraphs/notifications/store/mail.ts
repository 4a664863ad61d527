import type { Mail } from '../model/notification.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { Channel } from '../model/channel.ts'
import type { Message } from '../domain/transport.ts'

/**
 * Inserts messages into the mailbox. A unique index prevents a second message for the same
 * notification.
 */
export function insertMails(
  messages: readonly Message[],
  newMailId: () => string,
  receivedAt: Date,
): Write {
  const rows = messages.map(({ notificationId, partyId, channel, address, subject, body }) => {
    const content = { notificationId, partyId, channel, address, subject, body }
    return columnsOf({ mailId: newMailId(), ...content, receivedAt } satisfies Mail)
  })
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
  return rows as Mail[]
}
