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

/** How far along a message is; a report only ever moves it on. */
const rank: Readonly<Record<NotificationStatus, number>> = {
  queued: 0,
  accepted: 1,
  sent: 2,
  delivered: 3,
  failed: 3,
  suppressed: 3,
}

/**
 * The states a message passes through because of a provider's report, none when the report is
 * late or said again. A delivery that is reported before the hand-over passes through sent.
 * Refuses with INVALID_STATE_TRANSITION a report about a message that no provider was given.
 */
export function followReport(
  notification: Notification,
  status: ReportedStatus,
  at: Date,
): Notification[] {
  if (notification.status === 'queued' || notification.status === 'suppressed') {
    throw new Problem('INVALID_STATE_TRANSITION', {
      detail: `${notification.notificationId} is ${notification.status}: nobody was given it.`,
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
