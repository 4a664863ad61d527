import {
  type NewNotification,
  notificationTransitions,
  type Notification,
  type NotificationAttempt,
  type NotificationStatus,
  type SuppressionReason,
} from '../model/notification.ts'
import type { TemplateVariable } from '../model/template.ts'
import { addMs, dayMs, minuteMs } from '../../../kernel/domain/dates.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import { assertTransition } from '../../../kernel/domain/states.ts'
import type { Channel, Category } from '../model/channel.ts'
import { fallbackLanguages, parseLanguage } from './language.ts'
import { validatePersonalization } from './personalization.ts'
import { suppressionOf, type Reachability } from './suppression.ts'

/** The part of an active template on which decisions depend. */
export interface ActiveTemplate {
  templateId: string
  language: string
  category: Category
  variables: readonly TemplateVariable[]
}

export const lateMs = 5 * minuteMs
export const maxFutureMs = 90 * dayMs

/**
 * Creates a notification. It is queued, or suppressed if the party must not be notified. Returns
 * null if no active template has a suitable language; `explainNoTemplate` then returns the problem.
 * Throws PARTY_NOT_FOUND, INVALID_LANGUAGE, MISSING_PERSONALIZATION, INVALID_PERSONALIZATION,
 * SEND_AT_IN_PAST (more than 5 minutes ago), SEND_AT_TOO_FAR (more than 90 days ahead).
 */
export function queueNotification(
  request: NewNotification,
  party: Reachability | null,
  templates: readonly ActiveTemplate[],
  stamp: { notificationId: string; now: Date },
): Notification | null {
  const { now } = stamp
  if (!party) throw missingReference('PARTY_NOT_FOUND', request.partyId, '/partyId')
  const language = request.language ? parseLanguage(request.language) : null
  const template = chooseTemplate(templates, language, party.language)
  if (!template) return null
  validatePersonalization(template.variables, request.personalization)
  requireSendAt(request.sendAt ?? null, now)
  const dueAt = request.sendAt && request.sendAt > now ? request.sendAt : now
  const reason = suppressionOf(party, request.channel, template.category, dueAt)
  return {
    notificationId: stamp.notificationId,
    partyId: request.partyId,
    channel: request.channel,
    templateCode: request.templateCode,
    templateId: template.templateId,
    category: template.category,
    language: template.language,
    subject: request.subject ?? null,
    personalization: request.personalization ?? null,
    status: reason ? 'suppressed' : 'queued',
    suppressionReason: reason,
    failureReason: null,
    renderedSubject: null,
    renderedBody: null,
    provider: null,
    attempts: [],
    sendAt: request.sendAt ?? null,
    dueAt: reason ? null : dueAt,
    leaseId: null,
    deliveredAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

function chooseTemplate(
  templates: readonly ActiveTemplate[],
  requestedLanguage: string | null,
  partyLanguage: string,
): ActiveTemplate | undefined {
  const byLanguage = new Map(templates.map((template) => [template.language, template]))
  const found = fallbackLanguages(requestedLanguage, partyLanguage).find((tag) =>
    byLanguage.has(tag),
  )
  return found === undefined ? undefined : byLanguage.get(found)
}

function requireSendAt(sendAt: Date | null, now: Date): void {
  if (!sendAt) return
  const sendAtProblem = (code: 'SEND_AT_IN_PAST' | 'SEND_AT_TOO_FAR', detail: string) =>
    new Problem(code, { detail, errors: [{ pointer: '/sendAt', code, detail }] })
  if (sendAt < addMs(now, -lateMs)) {
    throw sendAtProblem(
      'SEND_AT_IN_PAST',
      `The send time ${sendAt.toISOString()} is more than 5 minutes ago.`,
    )
  }
  if (sendAt > addMs(now, maxFutureMs)) {
    throw sendAtProblem(
      'SEND_AT_TOO_FAR',
      `The send time ${sendAt.toISOString()} is more than 90 days ahead.`,
    )
  }
}

/** The part of a template that explains why none is suitable. */
export interface TemplateTrace {
  channel: Channel
  status: string
  language: string
}

/**
 * Returns the problem for a request without a suitable template: TEMPLATE_NOT_FOUND (also if active
 * templates exist only in other languages), TEMPLATE_CHANNEL_MISMATCH or TEMPLATE_NOT_ACTIVE.
 */
export function explainNoTemplate(
  { templateCode, channel }: Pick<NewNotification, 'templateCode' | 'channel'>,
  traces: readonly TemplateTrace[],
): Problem {
  const pointer = '/templateCode'
  if (traces.length === 0) return missingReference('TEMPLATE_NOT_FOUND', templateCode, pointer)
  const tracesOfChannel = traces.filter((trace) => trace.channel === channel)
  if (tracesOfChannel.length === 0) {
    const code = 'TEMPLATE_CHANNEL_MISMATCH'
    const allowed = unique(traces.map((trace) => trace.channel))
    const detail = `The template ${templateCode} is for ${allowed.join(', ')}, not ${channel}.`
    return new Problem(code, { detail, errors: [{ pointer: '/channel', code, detail, allowed }] })
  }
  const active = tracesOfChannel.filter(({ status }) => status === 'active')
  if (active.length === 0) {
    const code = 'TEMPLATE_NOT_ACTIVE'
    const statuses = unique(tracesOfChannel.map(({ status }) => status)).join(', ')
    const detail = `The template ${templateCode} is ${statuses}; activate it first.`
    return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
  }
  const code = 'TEMPLATE_NOT_FOUND'
  const languages = active.map(({ language }) => language).join(', ')
  const detail = `The template ${templateCode} is active only in ${languages}.`
  return new Problem(code, {
    status: 422,
    detail,
    resourceId: templateCode,
    errors: [{ pointer, code, detail }],
  })
}

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/** Cancels a queued notification. Throws INVALID_STATE_TRANSITION. */
export function cancelNotification(notification: Notification): Notification {
  return suppress(notification, 'cancelled')
}

/** Suppresses a queued notification. Throws INVALID_STATE_TRANSITION. */
export function suppress(notification: Notification, reason: SuppressionReason): Notification {
  return { ...endProcessing(notification, 'suppressed'), suppressionReason: reason }
}

/** Marks a notification as failed. Throws INVALID_STATE_TRANSITION. */
export function fail(notification: Notification, reason: string): Notification {
  return { ...endProcessing(notification, 'failed'), failureReason: reason }
}

/** Stores the rendered message and its delivery provider. Throws INVALID_STATE_TRANSITION. */
export function accept(
  notification: Notification,
  rendered: { subject: string | null; body: string },
  provider: string,
): Notification {
  return {
    ...transition(notification, 'accepted'),
    renderedSubject: rendered.subject,
    renderedBody: rendered.body,
    provider,
  }
}

/**
 * Records that the provider accepted the message. `isDeliveredAtOnce` says whether the worker marks
 * it as delivered in its next step; otherwise, delivery reports update the notification.
 * Throws INVALID_STATE_TRANSITION.
 */
export function send(
  notification: Notification,
  attempt: NotificationAttempt,
  isDeliveredAtOnce: boolean,
): Notification {
  const attempts = [...notification.attempts, attempt]
  return isDeliveredAtOnce
    ? { ...transition(notification, 'sent'), attempts }
    : { ...endProcessing(notification, 'sent'), attempts }
}

/** Records that the party received the message. Throws INVALID_STATE_TRANSITION. */
export function deliver(notification: Notification, at: Date): Notification {
  return { ...endProcessing(notification, 'delivered'), deliveredAt: at }
}

function transition(notification: Notification, to: NotificationStatus): Notification {
  assertTransition(notificationTransitions, notification.status, to, notification.notificationId)
  return { ...notification, status: to }
}

function endProcessing(notification: Notification, to: NotificationStatus): Notification {
  return { ...transition(notification, to), dueAt: null, leaseId: null }
}
