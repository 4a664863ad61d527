import { requireVisible, requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { carriersOf } from './delivery/carriers.ts'
import { requireConfigured } from './domain/channel.ts'
import { followReport, type ReportedStatus } from './domain/delivery-report.ts'
import {
  cancelNotification,
  explainNoTemplate,
  queueNotification,
  type NewNotification,
  type Notification,
} from './domain/notification.ts'
import { tellNotification } from './events.ts'
import { insertReport, isReported } from './store/delivery-report.ts'
import {
  findNotification,
  insertNotification,
  readPremises,
  updateNotification,
} from './store/notification.ts'
import { traceTemplates } from './store/template.ts'

/**
 * Accepts a message for delivery, now or later; one that must not be sent is suppressed at once.
 * Refuses with what `queueNotification` and `explainNoTemplate` refuse with, and with
 * CHANNEL_NOT_CONFIGURED a message that no provider of the environment could send.
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
    const { party, templates } = await readPremises(context, input)
    const made = { notificationId: context.newId('notification'), now: context.now() }
    const notification = queueNotification(input, party, templates, made)
    if (!notification) {
      throw explainNoTemplate(input, await traceTemplates(context, input.templateCode))
    }
    if (notification.status === 'queued') {
      requireConfigured(input.channel, carriersOf(context.bank).configured)
    }
    return {
      result: notification,
      resourceId: notification.notificationId,
      writes: [insertNotification(notification)],
      events: [tellNotification(notification)],
    }
  })
}

export const ownersOf = ({ partyId }: Notification): string[] => [partyId]

/** Cancels a queued notification. Throws NOTIFICATION_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function cancel(context: Context, notificationId: string): Promise<Notification> {
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
      events: [tellNotification(after)],
    }
  })
}

export interface ReportAsked {
  provider: string
  messageId: string
  status: ReportedStatus
  at: Date
}

/**
 * Records a delivery report. Repeated and late reports change nothing. The message id is the id of
 * the notification.
 * Throws NOTIFICATION_NOT_FOUND (also if the notification has another provider),
 * NOT_FOR_DELEGATED_USERS, and INVALID_STATE_TRANSITION if it was never handed to a provider.
 */
export function recordReport(context: Context, asked: ReportAsked): Promise<Notification> {
  requireBank(context)
  const { provider, messageId, status, at } = asked
  return command(context, 'recordDeliveryReport', asked, async () => {
    const before = await findNotification(context, messageId)
    const isOthers = before && before.provider !== null && before.provider !== provider
    if (!before || isOthers) {
      throw new Problem('NOTIFICATION_NOT_FOUND', { resourceId: messageId })
    }
    const now = context.now()
    const passed = followReport(before, status, at)
    const report = { provider, messageId, status, reportedAt: at, receivedAt: now }
    if (await isReported(context, report)) return { result: before, resourceId: messageId }
    const version = before.version + 1
    const reached = passed.map((step) => ({ ...step, version, updatedAt: now }))
    const after = reached.at(-1) ?? before
    return {
      result: after,
      resourceId: messageId,
      writes: [
        insertReport(report),
        ...(after === before ? [] : [updateNotification(after, before.version)]),
      ],
      events: reached.map(tellNotification),
    }
  })
}
