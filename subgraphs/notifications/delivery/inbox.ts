import type { Transport } from '../domain/transport.ts'

const keepsEverything: Transport['send'] = (messages) =>
  Promise.resolve(
    messages.map(({ notificationId }) => ({
      notificationId,
      result: 'handed-over',
      reason: null,
    })),
  )

/**
 * The inbox of a party at the bank, where secure messages are delivered. The message is written in
 * the commit that marks its notification as sent, so that neither exists without the other.
 */
export const inbox: Transport = {
  name: 'mailbox',
  delivers: true,
  isStored: true,
  send: keepsEverything,
}

/**
 * Stands in for the e-mail, SMS and push providers that a sandbox does not have. The messages are
 * stored beside the secure messages, and nothing leaves the program.
 */
export const simulator: Transport = {
  name: 'simulator',
  delivers: true,
  isStored: true,
  send: keepsEverything,
}
