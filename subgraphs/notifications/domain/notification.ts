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

/** The states the specification names. */
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

/** One try to hand a message over. */
export interface Attempt {
  at: string
  outcome: 'handed-over' | 'refused' | 'deferred'
  reason: string | null
}

/** One message to one party. */
export interface Notification {
  notificationId: string
  partyId: string
  channel: Channel
  templateCode: string
  templateId: string
  category: Category
  language: string
  /** As it was sent; used where the channel has subjects. */
  subject: string | null
  /** As it was sent. */
  personalization: Personalization | null
  status: NotificationStatus
  suppressionReason: SuppressionReason | null
  failureReason: string | null
  renderedSubject: string | null
  renderedBody: string | null
  /** Who carries it, from the moment it was accepted. */
  provider: string | null
  attempts: readonly Attempt[]
  sendAt: Date | null
  /** When its next step is to be taken; null when none is left. */
  dueAt: Date | null
  leaseId: string | null
  deliveredAt: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** What a decision needs to know of an active template. */
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
 * Queues a notification, or settles at once that it must not be sent.
 * Refuses with PARTY_NOT_FOUND, INVALID_LANGUAGE, MISSING_PERSONALIZATION, INVALID_PERSONALIZATION,
 * SEND_AT_IN_PAST more than 5 minutes ago, SEND_AT_TOO_FAR beyond 90 days. Answers null where no
 * active template has a fitting language, for the caller to say why.
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
    throw refuse('SEND_AT_IN_PAST', 'At most 5 minutes ago.')
  }
  if (sendAt > addMs(now, farthestMs)) {
    throw refuse('SEND_AT_TOO_FAR', 'At most 90 days ahead.')
  }
}

/** A template of the code as far as it explains why none fits. */
export interface TemplateTrace {
  channel: Channel
  status: string
  language: string
}

/**
 * Why no template fits: TEMPLATE_NOT_FOUND, TEMPLATE_CHANNEL_MISMATCH, TEMPLATE_NOT_ACTIVE, or
 * TEMPLATE_NOT_FOUND again when the active ones are in other languages.
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
    const detail = `${templateCode} is for ${allowed.join(', ')}.`
    return new Problem(code, { detail, errors: [{ pointer: '/channel', code, detail, allowed }] })
  }
  const active = ofChannel.filter(({ status }) => status === 'active')
  if (active.length === 0) {
    const code = 'TEMPLATE_NOT_ACTIVE'
    const detail = `${templateCode} is ${once(ofChannel.map(({ status }) => status)).join(', ')}.`
    return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
  }
  const code = 'TEMPLATE_NOT_FOUND'
  const detail = `${templateCode} is active in ${active.map(({ language }) => language).join(', ')} only.`
  return new Problem(code, {
    status: 422,
    detail,
    resourceId: templateCode,
    errors: [{ pointer, code, detail }],
  })
}

const once = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/** Takes back what was not sent yet. Refuses with INVALID_STATE_TRANSITION. */
export function cancelNotification(notification: Notification): Notification {
  return suppress(notification, 'cancelled')
}

/** Settles that a queued message must not be sent. Refuses with INVALID_STATE_TRANSITION. */
export function suppress(notification: Notification, reason: SuppressionReason): Notification {
  return { ...end(notification, 'suppressed'), suppressionReason: reason }
}

/** Gives up a message. Refuses with INVALID_STATE_TRANSITION. */
export function fail(notification: Notification, reason: string): Notification {
  return { ...end(notification, 'failed'), failureReason: reason }
}

/** The provider takes the rendered message. Refuses with INVALID_STATE_TRANSITION. */
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

/** The message was handed over; `hasReceipt` says whether its delivery will be seen. Refuses with INVALID_STATE_TRANSITION. */
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

/** The message reached its party. Refuses with INVALID_STATE_TRANSITION. */
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
