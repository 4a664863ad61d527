import { addMs, dayMs, minuteMs } from '../../_kernel/domain/dates.ts'
import { missingReference, Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Channel } from './channel.ts'
import { fallbackLanguages, parseLanguage } from './language.ts'
import { fitPersonalization, type Personalization, type Variable } from './personalization.ts'
import {
  suppressionOf,
  type Category,
  type Reachability,
  type SuppressionReason,
} from './suppression.ts'

/** The statuses named in the specification. */
export const notificationStatuses = [
  'queued',
  'accepted',
  'sent',
  'delivered',
  'failed',
  'suppressed',
] as const
export type NotificationStatus = (typeof notificationStatuses)[number]

export const notificationMoves: Transitions<NotificationStatus> = {
  queued: ['accepted', 'suppressed', 'failed'],
  accepted: ['sent', 'failed'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: [],
  suppressed: [],
}

/** One attempt to hand a notification to its delivery provider. */
export interface Attempt {
  at: string
  outcome: 'handed-over' | 'refused' | 'deferred'
  reason: string | null
}

/** A message from the bank to one party. */
export interface Notification {
  notificationId: string
  partyId: string
  channel: Channel
  templateCode: string
  templateId: string
  category: Category
  language: string
  /** As sent by the client; used for channels with subjects. */
  subject: string | null
  /** As sent by the client. */
  personalization: Personalization | null
  status: NotificationStatus
  suppressionReason: SuppressionReason | null
  failureReason: string | null
  renderedSubject: string | null
  renderedBody: string | null
  /** The delivery provider; null before the notification is accepted. */
  provider: string | null
  attempts: readonly Attempt[]
  sendAt: Date | null
  /** When the next processing step is due; null if none is left. */
  dueAt: Date | null
  leaseId: string | null
  deliveredAt: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** The part of an active template that decisions need. */
export interface ActiveTemplate {
  templateId: string
  language: string
  category: Category
  variables: readonly Variable[]
}

export interface NewNotification {
  partyId: string
  channel: Channel
  templateCode: string
  subject?: string | null
  personalization?: Personalization | null
  sendAt?: Date | null
  language?: string | null
}

export const lateMs = 5 * minuteMs
export const farthestMs = 90 * dayMs

/**
 * Creates a notification as queued, or as suppressed if the party must not be notified. Returns
 * null if no active template has a suitable language; `explainNoTemplate` creates the problem.
 * Throws PARTY_NOT_FOUND, INVALID_LANGUAGE, MISSING_PERSONALIZATION, INVALID_PERSONALIZATION,
 * SEND_AT_IN_PAST (more than 5 minutes ago), SEND_AT_TOO_FAR (more than 90 days ahead).
 */
export function queueNotification(
  asked: NewNotification,
  party: Reachability | null,
  templates: readonly ActiveTemplate[],
  made: { notificationId: string; now: Date },
): Notification | null {
  const { now } = made
  if (!party) throw missingReference('PARTY_NOT_FOUND', asked.partyId, '/partyId')
  const language = asked.language ? parseLanguage(asked.language) : null
  const template = chooseTemplate(templates, language, party.language)
  if (!template) return null
  fitPersonalization(template.variables, asked.personalization)
  requireSendAt(asked.sendAt ?? null, now)
  const dueAt = asked.sendAt && asked.sendAt > now ? asked.sendAt : now
  const reason = suppressionOf(party, asked.channel, template.category, dueAt)
  return {
    notificationId: made.notificationId,
    partyId: asked.partyId,
    channel: asked.channel,
    templateCode: asked.templateCode,
    templateId: template.templateId,
    category: template.category,
    language: template.language,
    subject: asked.subject ?? null,
    personalization: asked.personalization ?? null,
    status: reason ? 'suppressed' : 'queued',
    suppressionReason: reason,
    failureReason: null,
    renderedSubject: null,
    renderedBody: null,
    provider: null,
    attempts: [],
    sendAt: asked.sendAt ?? null,
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
  asked: string | null,
  ofParty: string,
): ActiveTemplate | undefined {
  const byLanguage = new Map(templates.map((template) => [template.language, template]))
  const found = fallbackLanguages(asked, ofParty).find((tag) => byLanguage.has(tag))
  return found === undefined ? undefined : byLanguage.get(found)
}

function requireSendAt(sendAt: Date | null, now: Date): void {
  if (!sendAt) return
  const refuse = (code: 'SEND_AT_IN_PAST' | 'SEND_AT_TOO_FAR', detail: string) =>
    new Problem(code, { detail, errors: [{ pointer: '/sendAt', code, detail }] })
  if (sendAt < addMs(now, -lateMs)) {
    throw refuse('SEND_AT_IN_PAST', `${sendAt.toISOString()} is more than 5 minutes ago.`)
  }
  if (sendAt > addMs(now, farthestMs)) {
    throw refuse('SEND_AT_TOO_FAR', `${sendAt.toISOString()} is more than 90 days ahead.`)
  }
}

/** The part of a template that explains why none is suitable. */
export interface TemplateTrace {
  channel: Channel
  status: string
  language: string
}

/**
 * The problem if no template is suitable: TEMPLATE_NOT_FOUND (also if the active ones are in other
 * languages), TEMPLATE_CHANNEL_MISMATCH or TEMPLATE_NOT_ACTIVE.
 */
export function explainNoTemplate(
  { templateCode, channel }: Pick<NewNotification, 'templateCode' | 'channel'>,
  traces: readonly TemplateTrace[],
): Problem {
  const pointer = '/templateCode'
  if (traces.length === 0) return missingReference('TEMPLATE_NOT_FOUND', templateCode, pointer)
  const ofChannel = traces.filter((trace) => trace.channel === channel)
  if (ofChannel.length === 0) {
    const code = 'TEMPLATE_CHANNEL_MISMATCH'
    const allowed = once(traces.map((trace) => trace.channel))
    const detail = `The template ${templateCode} is for ${allowed.join(', ')}, not ${channel}.`
    return new Problem(code, { detail, errors: [{ pointer: '/channel', code, detail, allowed }] })
  }
  const active = ofChannel.filter(({ status }) => status === 'active')
  if (active.length === 0) {
    const code = 'TEMPLATE_NOT_ACTIVE'
    const statuses = once(ofChannel.map(({ status }) => status)).join(', ')
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

const once = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/** Cancels a queued notification. Throws INVALID_STATE_TRANSITION. */
export function cancelNotification(notification: Notification): Notification {
  return suppress(notification, 'cancelled')
}

/** Suppresses a queued notification. Throws INVALID_STATE_TRANSITION. */
export function suppress(notification: Notification, reason: SuppressionReason): Notification {
  return { ...end(notification, 'suppressed'), suppressionReason: reason }
}

/** Marks a notification as failed. Throws INVALID_STATE_TRANSITION. */
export function fail(notification: Notification, reason: string): Notification {
  return { ...end(notification, 'failed'), failureReason: reason }
}

/** Stores the rendered message and its delivery provider. Throws INVALID_STATE_TRANSITION. */
export function accept(
  notification: Notification,
  rendered: { subject: string | null; body: string },
  provider: string,
): Notification {
  return {
    ...move(notification, 'accepted'),
    renderedSubject: rendered.subject,
    renderedBody: rendered.body,
    provider,
  }
}

/**
 * Records the hand-over to the provider; `hasReceipt` says whether a confirmation of delivery
 * follows. Throws INVALID_STATE_TRANSITION.
 */
export function send(
  notification: Notification,
  attempt: Attempt,
  hasReceipt: boolean,
): Notification {
  const attempts = [...notification.attempts, attempt]
  return hasReceipt
    ? { ...move(notification, 'sent'), attempts }
    : { ...end(notification, 'sent'), attempts }
}

/** Records the delivery to the party. Throws INVALID_STATE_TRANSITION. */
export function deliver(notification: Notification, at: Date): Notification {
  return { ...end(notification, 'delivered'), deliveredAt: at }
}

function move(notification: Notification, to: NotificationStatus): Notification {
  requireMove(notificationMoves, notification.status, to, notification.notificationId)
  return { ...notification, status: to }
}

function end(notification: Notification, to: NotificationStatus): Notification {
  return { ...move(notification, to), dueAt: null, leaseId: null }
}
