import { expect, test } from 'vitest'
import { Problem } from '../../../kernel/domain/problem.ts'
import { followReport } from '../../../subgraphs/notifications/domain/delivery-report.ts'
import {
  ReportedStatus,
  NotificationStatus,
  type Notification,
} from '../../../subgraphs/notifications/model/notification.ts'
import { queueNotification } from '../../../subgraphs/notifications/domain/notification.ts'
import { afterAttempt, maxAttempts } from '../../../subgraphs/notifications/domain/transport.ts'

const now = new Date('2026-03-02T09:00:00Z')

function queued(changes: Partial<Notification>): Notification {
  const notification = queueNotification(
    { partyId: 'pty_ada', channel: 'email', templateCode: 'welcome' },
    {
      partyId: 'pty_ada',
      status: 'active',
      language: 'en',
      channels: { email: { verified: true } },
      marketingOptOut: false,
      suppressedChannels: [],
      quietHours: null,
    },
    [{ templateId: 'tpl', language: 'en', category: 'service', variables: [] }],
    { notificationId: 'ntf_1', now },
  )
  return { ...notification!, ...changes }
}

const reported: Record<NotificationStatus, Record<ReportedStatus, NotificationStatus[] | '409'>> = {
  queued: { sent: '409', delivered: '409', failed: '409' },
  accepted: { sent: ['sent'], delivered: ['sent', 'delivered'], failed: ['failed'] },
  sent: { sent: [], delivered: ['delivered'], failed: ['failed'] },
  delivered: { sent: [], delivered: [], failed: [] },
  failed: { sent: [], delivered: [], failed: [] },
  suppressed: { sent: '409', delivered: '409', failed: '409' },
}
test.each(
  NotificationStatus.values.flatMap((status) =>
    ReportedStatus.values.map((report) => [report, status] as const),
  ),
)('a delivery report %s while the notification is %s', (report, status) => {
  const act = () => followReport(queued({ status }), report, now)
  const wanted = reported[status][report]
  if (wanted === '409') {
    const code = 'INVALID_STATE_TRANSITION'
    expect(act).toThrow(expect.objectContaining({ constructor: Problem, code }))
  } else expect(act().map((each) => each.status)).toEqual(wanted)
})

test('deferred attempts wait longer each time, and the fifth is the last', () => {
  let notification = queued({ status: 'accepted', leaseId: 'l' })
  const pauses: number[] = []
  const outcome = { notificationId: 'ntf_1', result: 'deferred', reason: 'smtp-451' } as const
  for (let tries = 1; tries < maxAttempts; tries++) {
    notification = afterAttempt(notification, outcome, false, now)
    expect(notification).toMatchObject({ status: 'accepted', leaseId: null })
    pauses.push((notification.dueAt!.getTime() - now.getTime()) / 1000)
  }
  expect(pauses).toEqual([30, 60, 120, 240])
  const last = afterAttempt(notification, outcome, false, now)
  expect(last).toMatchObject({ status: 'failed', failureReason: 'smtp-451', dueAt: null })
  expect(last.attempts).toHaveLength(maxAttempts)
})

test('a permanent failure is final, and a hand-over without receipts ends with sent', () => {
  const accepted = queued({ status: 'accepted' })
  const outcome = (result: 'refused' | 'handed-over') => ({
    notificationId: 'ntf_1',
    result,
    reason: null,
  })
  expect(afterAttempt(accepted, outcome('refused'), false, now).status).toBe('failed')
  expect(afterAttempt(accepted, outcome('handed-over'), false, now)).toMatchObject({
    status: 'sent',
    dueAt: null,
  })
  expect(afterAttempt(accepted, outcome('handed-over'), true, now)).toMatchObject({
    status: 'sent',
    dueAt: now,
  })
})
