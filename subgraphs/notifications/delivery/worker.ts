import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { accept, deliver, fail, suppress } from '../domain/notification.ts'
import type { NotificationStatus, Notification } from '../model/notification.ts'
import { suppressionOf, type Reachability } from '../domain/suppression.ts'
import { afterAttempt, type Message, type Outcome, type Transport } from '../domain/transport.ts'
import { notificationEvent } from '../events.ts'
import { insertMails } from '../store/mail.ts'
import {
  areNotificationsDueSql,
  claimDue,
  findLeased,
  updateNotifications,
} from '../store/notification.ts'
import { deliveryProvidersOf, type DeliveryProviders } from './providers.ts'
import { readContacts, type FindContact } from './contacts.ts'
import { compiledFor, renderNotification } from './wordings.ts'

const batchSize = 100
/** How long a worker leases a batch. After that, another worker can take the batch over. */
export const leaseMs = 30_000

/** Sends due notifications in batches, with one claim, one graph query and one commit per step. */
export const deliverNotifications: Worker = {
  name: 'notifications.deliver',
  followsClock: true,
  purpose: 'Sends due notifications.',
  everyMs: dueFallbackMs,
  isDueSql: areNotificationsDueSql,
  wakeOn: ['notifications.notification.queued'],
  run: deliverDue,
}

/** A batch of notifications that one worker has leased. */
interface Batch {
  context: Context
  leaseId: string
  providers: DeliveryProviders
  findContact: FindContact
}

async function deliverDue(context: Context): Promise<number> {
  const leaseId = context.newId('event')
  const lease = { leaseId, now: context.now(), lengthMs: leaseMs }
  const claimedNotifications = await claimDue(context, lease, batchSize)
  if (claimedNotifications.length === 0) return 0
  const inState = (status: NotificationStatus) =>
    claimedNotifications.filter((each) => each.status === status)
  const unsentNotifications = claimedNotifications.filter(({ status }) => status !== 'sent')
  const findContact = await readContacts(context, unsentNotifications)
  const batch = { context, leaseId, providers: deliveryProvidersOf(context.bank), findContact }
  const acceptedNotifications = await acceptQueued(batch, inState('queued'))
  const readyNotifications = acceptedNotifications.filter(({ status }) => status === 'accepted')
  const sentNotifications = await handToProvider(batch, [
    ...inState('accepted'),
    ...readyNotifications,
  ])
  await confirm(batch, [...inState('sent'), ...sentNotifications])
  return claimedNotifications.length
}

/**
 * Renders queued notifications and assigns each one to its provider. The suppression rules are
 * applied again, because preferences may have changed since the notification was created.
 */
async function acceptQueued(
  batch: Batch,
  queuedNotifications: Notification[],
): Promise<Notification[]> {
  if (queuedNotifications.length === 0) return []
  const { context, providers, findContact } = batch
  const [compiled, facts] = await Promise.all([
    compiledFor(context, queuedNotifications),
    readFacts(
      context,
      queuedNotifications.map(({ partyId }) => `party/${partyId}`),
    ),
  ])
  const parties = new Map(facts.map((fact, index) => [queuedNotifications[index]!.partyId, fact]))
  const decide = (notification: Notification, now: Date): Notification => {
    const { partyId, channel, category, templateId } = notification
    const party = parties.get(partyId) as Reachability | null | undefined
    if (!party) return fail(notification, 'party-not-found')
    const reason = suppressionOf(party, channel, category, now)
    if (reason) return suppress(notification, reason)
    const contact = findContact(partyId, channel)
    if (!contact) return suppress(notification, 'no-verified-contact')
    const transport = providers.of(channel)
    if (!transport) return afterAttempt(notification, unconfiguredOutcome(notification), false, now)
    const rendered = renderNotification(
      notification,
      compiled.get(templateId)!,
      contact.displayName,
    )
    if ('failure' in rendered) return fail(notification, rendered.failure)
    return accept(notification, rendered, transport.name)
  }
  return step(batch, 'queued', queuedNotifications, decide)
}

/**
 * The outcome for a channel without a provider. It is a deferral, not a failure, because the
 * operator may configure the provider again.
 */
const unconfiguredOutcome = ({ notificationId }: Notification): Outcome => ({
  notificationId,
  result: 'deferred',
  reason: 'channel-not-configured',
})

/**
 * Hands accepted messages to their providers. Messages that the bank stores itself are written in
 * the commit that marks their notifications as sent.
 */
async function handToProvider(
  batch: Batch,
  acceptedNotifications: Notification[],
): Promise<Notification[]> {
  if (acceptedNotifications.length === 0) return []
  const { context, providers, findContact } = batch
  const messages = new Map<string, Message>()
  for (const notification of acceptedNotifications) {
    const { notificationId, partyId, channel, renderedSubject, renderedBody } = notification
    const contact = findContact(partyId, channel)
    if (!contact) continue
    const text = { subject: renderedSubject, body: renderedBody! }
    messages.set(notificationId, { notificationId, partyId, channel, ...contact, ...text })
  }
  const outcomes = await sendAll(providers, acceptedNotifications, messages)
  const decide = (notification: Notification, now: Date): Notification => {
    const { notificationId, channel, provider } = notification
    if (!messages.has(notificationId)) return fail(notification, 'no-address')
    const outcome = outcomes.get(notificationId)!
    const delivers = providers.named(provider, channel)?.delivers ?? false
    return afterAttempt(notification, outcome, delivers, now)
  }
  const attemptedNotifications = acceptedNotifications.filter(
    ({ notificationId }) => outcomes.has(notificationId) || !messages.has(notificationId),
  )
  return step(batch, 'accepted', attemptedNotifications, decide, (updatedNotifications, now) => {
    const mails = updatedNotifications
      .filter(({ status }) => status === 'sent')
      .filter(({ channel, provider }) => providers.named(provider, channel)?.isStored)
      .map(({ notificationId }) => messages.get(notificationId)!)
    return mails.length === 0 ? [] : [insertMails(mails, () => context.newId('mail'), now)]
  })
}

async function sendAll(
  providers: DeliveryProviders,
  acceptedNotifications: readonly Notification[],
  messages: ReadonlyMap<string, Message>,
): Promise<Map<string, Outcome>> {
  const byProvider = new Map<Transport, Message[]>()
  const outcomes: Outcome[] = []
  for (const notification of acceptedNotifications) {
    const { notificationId, channel, provider } = notification
    const message = messages.get(notificationId)
    if (!message) continue
    const transport = providers.named(provider, channel)
    const messagesOfTransport = transport && byProvider.get(transport)
    if (messagesOfTransport) messagesOfTransport.push(message)
    else if (transport) byProvider.set(transport, [message])
    else outcomes.push(unconfiguredOutcome(notification))
  }
  const results = await Promise.all(
    [...byProvider].map(([transport, messagesOfTransport]) => transport.send(messagesOfTransport)),
  )
  for (const outcome of results.flat()) outcomes.push(outcome)
  return new Map(outcomes.map((outcome) => [outcome.notificationId, outcome]))
}

/** Marks sent notifications as delivered if their provider delivers immediately. */
async function confirm(batch: Batch, sentNotifications: Notification[]): Promise<void> {
  const dueNotifications = sentNotifications.filter(
    ({ status, dueAt }) => status === 'sent' && dueAt !== null,
  )
  await step(batch, 'sent', dueNotifications, deliver)
}

/**
 * Applies `decide` to a batch in one commit. Returns the notifications that neither failed nor were
 * suppressed. After a write conflict, only the notifications that this worker still leases, and
 * that are still in the status `from`, are decided again.
 */
async function step(
  { context, leaseId }: Batch,
  from: NotificationStatus,
  notifications: readonly Notification[],
  decide: (notification: Notification, now: Date) => Notification,
  otherWrites: (updatedNotifications: readonly Notification[], now: Date) => Write[] = () => [],
): Promise<Notification[]> {
  const ids = new Set(notifications.map(({ notificationId }) => notificationId))
  const readLeased = async () =>
    (await findLeased(context, leaseId)).filter(
      ({ notificationId, status }) => status === from && ids.has(notificationId),
    )
  let tries = 0
  return command(context, `notifications.deliver.${from}`, {}, async () => {
    const current = tries++ === 0 ? notifications : await readLeased()
    if (current.length === 0) return { result: [] }
    const now = context.now()
    const updatedNotifications = current.map((each) => ({
      ...decide(each, now),
      version: each.version + 1,
      updatedAt: now,
    }))
    return {
      result: updatedNotifications.filter(
        ({ status }) => status !== 'failed' && status !== 'suppressed',
      ),
      writes: [
        updateNotifications(updatedNotifications, leaseId),
        ...otherWrites(updatedNotifications, now),
      ],
      events: updatedNotifications.filter(({ status }) => status !== from).map(notificationEvent),
    }
  })
}
