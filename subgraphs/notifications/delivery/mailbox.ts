import type { Transport } from '../domain/transport.ts'

/**
 * The local mailbox, which accepts every message. The worker writes the message in the commit that
 * marks the notification as sent, so that neither exists without the other.
 */
export const mailbox: Transport = {
  name: 'mailbox',
  delivers: true,
  async send(messages) {
    return messages.map(({ notificationId }) => ({
      notificationId,
      result: 'handed-over',
      reason: null,
    }))
  },
}
