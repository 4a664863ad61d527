import { command } from '../../_kernel/command.ts'
import type { Context } from '../../_kernel/context.ts'
import { readFacts } from '../../_kernel/facts.ts'
import type { Worker } from '../../_kernel/worker.ts'
import type { Write } from '../../_kernel/writes.ts'
import {
  accept,
  deliver,
  fail,
  suppress,
  type Notification,
  type NotificationStatus,
} from '../domain/notification.ts'
import { suppressionOf, type Reachability } from '../domain/suppression.ts'
import { afterAttempt, type Message, type Outcome, type Transport } from '../domain/transport.ts'
import { tellNotification } from '../events.ts'
import { insertMails } from '../store/mail.ts'
import { claimDue, findLeased, updateNotifications } from '../store/notification.ts'
import { carriersOf, type Carriers } from './carriers.ts'
import { askContacts, type FindContact } from './contacts.ts'
import { compiledFor, write } from './wordings.ts'

const batchSize = 100
/** The lease of a worker on a batch. Other workers take the batch over after it. */
export const leaseMs = 30_000

/** Sends due notifications in batches: one claim, one graph query and one commit per step. */
export const deliverNotifications: Worker = {
  name: 'notifications.deliver',
  followsClock: true,
  purpose: 'Sends due notifications.',
  everyMs: 1000,
  wakeOn: ['notifications.notification.queued'],
  run: deliverDue,
}

/** A batch that one worker holds under a lease. */
interface Batch {
  context: Context
  leaseId: string
  carriers: Carriers
  findContact: FindContact
}

async function deliverDue(context: Context): Promise<number> {
  const leaseId = context.newId('event')
  const lease = { leaseId, now: context.now(), lengthMs: leaseMs }
  const claimed = await claimDue(context, lease, batchSize)
  if (claimed.length === 0) return 0
  const inState = (status: NotificationStatus) => claimed.filter((each) => each.status === status)
  const unsent = claimed.filter(({ status }) => status !== 'sent')
  const findContact = await askContacts(context, unsent)
  const batch = { context, leaseId, carriers: carriersOf(context.bank), findContact }
  const accepted = await acceptQueued(batch, inState('queued'))
  const ready = accepted.filter(({ status }) => status === 'accepted')
  const sent = await handOver(batch, [...inState('accepted'), ...ready])
  await confirm(batch, [...inState('sent'), ...sent])
  return claimed.length
}

/**
 * Renders queued notifications. The suppression rules apply again, because preferences may have
 * changed since creation.
 */
async function acceptQueued(batch: Batch, queued: Notification[]): Promise<Notification[]> {
  if (queued.length === 0) return []
  const { context, carriers, findContact } = batch
  const [compiled, facts] = await Promise.all([
    compiledFor(context, queued),
    readFacts(
      context,
      queued.map(({ partyId }) => `party/${partyId}`),
    ),
  ])
  const parties = new Map(facts.map((fact, at) => [queued[at]!.partyId, fact]))
  const decide = (notification: Notification, now: Date): Notification => {
    const { partyId, channel, category, templateId } = notification
    const party = parties.get(partyId) as Reachability | null | undefined
    if (!party) return fail(notification, 'party-not-found')
    const reason = suppressionOf(party, channel, category, now)
    if (reason) return suppress(notification, reason)
    const contact = findContact(partyId, channel)
    if (!contact) return suppress(notification, 'no-verified-contact')
    const carrier = carriers.of(channel)
    if (!carrier) return afterAttempt(notification, unconfigured(notification), false, now)
    const written = write(notification, compiled.get(templateId)!, contact.displayName)
    if ('failure' in written) return fail(notification, written.failure)
    return accept(notification, written, carrier.name)
  }
  return step(batch, 'queued', queued, decide)
}

/** The provider was taken from the settings after the message was accepted; it may come back. */
const unconfigured = ({ notificationId }: Notification): Outcome => ({
  notificationId,
  result: 'deferred',
  reason: 'channel-not-configured',
})

/** Gives accepted messages to their providers. What the bank stores itself is written in the same commit. */
async function handOver(batch: Batch, accepted: Notification[]): Promise<Notification[]> {
  if (accepted.length === 0) return []
  const { context, carriers, findContact } = batch
  const messages = new Map<string, Message>()
  for (const notification of accepted) {
    const { notificationId, partyId, channel, renderedSubject, renderedBody } = notification
    const contact = findContact(partyId, channel)
    if (!contact) continue
    const text = { subject: renderedSubject, body: renderedBody! }
    messages.set(notificationId, { notificationId, partyId, channel, ...contact, ...text })
  }
  const outcomes = await sendAll(carriers, accepted, messages)
  const decide = (notification: Notification, now: Date): Notification => {
    const { notificationId, channel, provider } = notification
    if (!messages.has(notificationId)) return fail(notification, 'no-address')
    const outcome = outcomes.get(notificationId)!
    const delivers = carriers.named(provider, channel)?.delivers ?? false
    return afterAttempt(notification, outcome, delivers, now)
  }
  const tried = accepted.filter(
    ({ notificationId }) => outcomes.has(notificationId) || !messages.has(notificationId),
  )
  return step(batch, 'accepted', tried, decide, (moved, now) => {
    const mails = moved
      .filter(({ status }) => status === 'sent')
      .filter(({ channel, provider }) => carriers.named(provider, channel)?.isStored)
      .map(({ notificationId }) => messages.get(notificationId)!)
    return mails.length === 0 ? [] : [insertMails(mails, () => context.newId('mail'), now)]
  })
}

async function sendAll(
  carriers: Carriers,
  accepted: readonly Notification[],
  messages: ReadonlyMap<string, Message>,
): Promise<Map<string, Outcome>> {
  const byCarrier = new Map<Transport, Message[]>()
  const outcomes: Outcome[] = []
  for (const notification of accepted) {
    const { notificationId, channel, provider } = notification
    const message = messages.get(notificationId)
    if (!message) continue
    const carrier = carriers.named(provider, channel)
    const carried = carrier && byCarrier.get(carrier)
    if (carried) carried.push(message)
    else if (carrier) byCarrier.set(carrier, [message])
    else outcomes.push(unconfigured(notification))
  }
  const sent = await Promise.all([...byCarrier].map(([carrier, carried]) => carrier.send(carried)))
  for (const outcome of sent.flat()) outcomes.push(outcome)
  return new Map(outcomes.map((outcome) => [outcome.notificationId, outcome]))
}

/** Marks notifications as delivered whose provider delivers at once. */
async function confirm(batch: Batch, sent: Notification[]): Promise<void> {
  const due = sent.filter(({ status, dueAt }) => status === 'sent' && dueAt !== null)
  await step(batch, 'sent', due, deliver)
}

/**
 * Moves a batch on by one step in one commit, and returns it without failed and suppressed
 * notifications. On a version conflict, the notifications that this worker still holds in the
 * status are decided again.
 */
async function step(
  { context, leaseId }: Batch,
  from: NotificationStatus,
  held: readonly Notification[],
  decide: (notification: Notification, now: Date) => Notification,
  alongside: (moved: readonly Notification[], now: Date) => Write[] = () => [],
): Promise<Notification[]> {
  const ids = new Set(held.map(({ notificationId }) => notificationId))
  const readAgain = async () =>
    (await findLeased(context, leaseId)).filter(
      ({ notificationId, status }) => status === from && ids.has(notificationId),
    )
  let tries = 0
  return command(context, `notifications.deliver.${from}`, {}, async () => {
    const current = tries++ === 0 ? held : await readAgain()
    if (current.length === 0) return { result: [] }
    const now = context.now()
    const moved = current.map((each) => ({
      ...decide(each, now),
      version: each.version + 1,
      updatedAt: now,
    }))
    return {
      result: moved.filter(({ status }) => status !== 'failed' && status !== 'suppressed'),
      writes: [updateNotifications(moved), ...alongside(moved, now)],
      events: moved.filter(({ status }) => status !== from).map(tellNotification),
    }
  })
}
