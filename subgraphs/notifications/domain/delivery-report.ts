import { Problem } from './problems.ts'
import { deliver, fail, send } from './notification.ts'
import {
  notificationTransitions,
  type ReportedStatus,
  type NotificationStatus,
  type Notification,
} from '../model/notification.ts'

/** The rank of each status. A report never moves a notification to a lower or equal rank. */
const rank: Readonly<Record<NotificationStatus, number>> = {
  queued: 0,
  accepted: 1,
  sent: 2,
  delivered: 3,
  failed: 3,
  suppressed: 3,
}

/**
 * Returns the states that a notification passes through because of a delivery report, in order. The
 * list is empty if the report is late or repeated. If the provider reports the delivery of an
 * accepted notification, the list contains `sent` and `delivered`.
 * Throws INVALID_STATE_TRANSITION if the notification was never handed to a provider.
 */
export function followReport(
  notification: Notification,
  status: ReportedStatus,
  at: Date,
): Notification[] {
  if (notification.status === 'queued' || notification.status === 'suppressed') {
    throw new Problem('INVALID_STATE_TRANSITION', {
      detail:
        `The notification ${notification.notificationId} is ${notification.status} and was never ` +
        'handed to a provider.',
      resourceId: notification.notificationId,
      currentState: notification.status,
      allowedStates: notificationTransitions[notification.status],
    })
  }
  if (rank[status] <= rank[notification.status]) return []
  if (status === 'failed') return [fail(notification, 'reported-by-provider')]
  const states: Notification[] = []
  let current = notification
  if (current.status === 'accepted') {
    const attempt = { at: at.toISOString(), outcome: 'handed-over', reason: null } as const
    current = send(current, attempt, false)
    states.push(current)
  }
  if (status === 'delivered') states.push(deliver(current, at))
  return states
}
