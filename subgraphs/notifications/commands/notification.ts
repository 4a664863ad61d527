import type { NewNotification, ReportedStatus, Notification } from '../model/notification.ts'
import { requireVisible, requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { deliveryProvidersOf } from '../delivery/providers.ts'
import { requireConfigured } from '../domain/channel.ts'
import { followReport } from '../domain/delivery-report.ts'
import { cancelNotification, explainNoTemplate, queueNotification } from '../domain/notification.ts'
import { notificationEvent } from '../events.ts'
import { insertReport, isReported } from '../store/delivery-report.ts'
import {
  findNotification,
  insertNotification,
  readNotificationInputs,
  updateNotification,
} from '../store/notification.ts'
import { traceTemplates } from '../store/template.ts'

/**
 * Creates a notification for immediate or later delivery. A notification that must not be sent is
 * suppressed immediately.
 * Throws CHANNEL_NOT_CONFIGURED if the environment has no provider for the channel, and whatever
 * `queueNotification` and `explainNoTemplate` report.
 */
export function createNotification(
  context: Context,
  input: NewNotification,
): Promise<Notification> {
  const { partyId } = context.caller
  if (partyId !== null && partyId !== input.partyId) {
    throw missingReference('PARTY_NOT_FOUND', input.partyId, '/partyId')
  }
  return command(context, 'createNotification', input, async () => {
    const { party, templates } = await readNotificationInputs(context, input)
    const stamp = { notificationId: context.newId('notification'), now: context.now() }
    const notification = queueNotification(input, party, templates, stamp)
    if (!notification) {
      throw explainNoTemplate(input, await traceTemplates(context, input.templateCode))
    }
    if (notification.status === 'queued') {
      requireConfigured(input.channel, deliveryProvidersOf(context.bank).configured)
    }
    return {
      result: notification,
      resourceId: notification.notificationId,
      writes: [insertNotification(notification)],
      events: [notificationEvent(notification)],
    }
  })
}

export const ownersOf = ({ partyId }: Notification): string[] => [partyId]

/** Cancels a queued notification. Throws NOTIFICATION_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function cancelNotificationById(
  context: Context,
  notificationId: string,
): Promise<Notification> {
  return command(context, 'cancelNotification', { notificationId }, async () => {
    const found = await findNotification(context, notificationId)
    const code = 'NOTIFICATION_NOT_FOUND'
    const before = requireVisible(context, found, ownersOf, code, notificationId)
    const after = {
      ...cancelNotification(before),
      version: before.version + 1,
      updatedAt: context.now(),
    }
    return {
      result: after,
      resourceId: notificationId,
      writes: [updateNotification(after, before.version)],
      events: [notificationEvent(after)],
    }
  })
}

export interface ReportRequest {
  provider: string
  messageId: string
  status: ReportedStatus
  at: Date
}

/**
 * Records a delivery report. Repeated and late reports change nothing. `messageId` is the
 * notification ID.
 * Throws NOTIFICATION_NOT_FOUND (also if the notification has another provider),
 * NOT_FOR_DELEGATED_USERS, and INVALID_STATE_TRANSITION if the notification was never handed to a
 * provider.
 */
export function recordReport(context: Context, request: ReportRequest): Promise<Notification> {
  requireBank(context)
  const { provider, messageId, status, at } = request
  return command(context, 'recordDeliveryReport', request, async () => {
    const before = await findNotification(context, messageId)
    const isOfOtherProvider = before && before.provider !== null && before.provider !== provider
    if (!before || isOfOtherProvider) {
      throw new Problem('NOTIFICATION_NOT_FOUND', { resourceId: messageId })
    }
    const now = context.now()
    const states = followReport(before, status, at)
    const report = { provider, messageId, status, reportedAt: at, receivedAt: now }
    if (await isReported(context, report)) return { result: before, resourceId: messageId }
    const version = before.version + 1
    const versionedStates = states.map((step) => ({ ...step, version, updatedAt: now }))
    const after = versionedStates.at(-1) ?? before
    return {
      result: after,
      resourceId: messageId,
      writes: [
        insertReport(report),
        ...(after === before ? [] : [updateNotification(after, before.version)]),
      ],
      events: versionedStates.map(notificationEvent),
    }
  })
}
