import { Problem } from '../../_kernel/domain/problem.ts'
import {
  deliver,
  fail,
  notificationMoves,
  send,
  type Notification,
  type NotificationStatus,
} from './notification.ts'

export const reportedStatuses = ['sent', 'delivered', 'failed'] as const
export type ReportedStatus = (typeof reportedStatuses)[number]

/** The progress of each status. A report never moves a notification backward. */
const rank: Readonly<Record<NotificationStatus, number>> = {
  queued: 0,
  accepted: 1,
  sent: 2,
  delivered: 3,
  failed: 3,
  suppressed: 3,
}

/**
 * The states a notification passes through because of a delivery report: none if the report is late
 * or repeated, and `sent` before `delivered` if the delivery is reported first.
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
      allowedStates: notificationMoves[notification.status],
    })
  }
  if (rank[status] <= rank[notification.status]) return []
  if (status === 'failed') return [fail(notification, 'reported-by-provider')]
  const passed: Notification[] = []
  let reached = notification
  if (reached.status === 'accepted') {
    const attempt = { at: at.toISOString(), outcome: 'handed-over', reason: null } as const
    reached = send(reached, attempt, false)
    passed.push(reached)
  }
  if (status === 'delivered') passed.push(deliver(reached, at))
  return passed
}
