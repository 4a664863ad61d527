import type { Transport } from '../domain/transport.ts'

const handOverAll: Transport['send'] = (messages) =>
  Promise.resolve(
    messages.map(({ notificationId }) => ({
      notificationId,
      result: 'handed-over',
      reason: null,
    })),
  )

/**
 * The inbox of a party at the bank, where secure messages are delivered. The commit that marks a
 * notification as sent also writes its message, so that neither exists without the other.
 */
export const inbox: Transport = {
  name: 'mailbox',
  delivers: true,
  isStored: true,
  send: handOverAll,
}

/**
 * A simulated provider for email, SMS and push in a sandbox that has no real one. Its messages are
 * stored in the same table as secure messages and never leave the program.
 */
export const simulator: Transport = {
  name: 'simulator',
  delivers: true,
  isStored: true,
  send: handOverAll,
}
