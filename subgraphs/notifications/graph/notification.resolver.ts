import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { maySee, Requires, requireVisible } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page, type PageAsked } from '../../_kernel/graph/connection.ts'
import { DateTimeScalar, LabelScalar } from '../../_kernel/scalars.ts'
import type { Channel } from '../domain/channel.ts'
import type { ReportedStatus } from '../domain/delivery-report.ts'
import type { Notification as Domain } from '../domain/notification.ts'
import { isSimulated } from '../domain/transport.ts'
import { cancel, createNotification, ownersOf, recordReport } from '../notification-commands.ts'
import { listMails, type Mail as StoredMail } from '../store/mail.ts'
import { listNotifications, loadNotification } from '../store/notification.ts'
import { loadTemplate } from '../store/template.ts'
import {
  CreateNotificationInput,
  MailConnection,
  Notification,
  NotificationConnection,
  ReportedStatusEnum,
} from './notification.types.ts'
import { Party } from './stubs.types.ts'
import { NotificationChannelEnum, NotificationTemplate } from './template.types.ts'

@Resolver(() => Notification)
export class NotificationResolver {
  @Requires('notifications:read')
  @Query(() => Notification, { description: 'One notification.' })
  async notification(
    @Arg('notificationId', () => ID) notificationId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadNotification(context, notificationId)
    return requireVisible(context, found, ownersOf, 'NOTIFICATION_NOT_FOUND', notificationId)
  }

  @Requires('notifications:read')
  @Query(() => NotificationConnection, {
    description: 'Notifications in the order they were created.',
  })
  notifications(
    @Arg('partyId', () => ID, { nullable: true }) partyId: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return notificationPage(context, partyId ?? context.caller.partyId, { first, after })
  }

  @Requires('notifications:read')
  @Query(() => MailConnection, {
    description:
      'The inbox of a party at the bank: secure messages and, in the sandbox, simulated e-mail, ' +
      'SMS and push messages. Oldest first.',
  })
  mailbox(
    @Arg('partyId', () => ID) partyId: string,
    @Arg('channel', () => NotificationChannelEnum, { nullable: true }) channel: Channel | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<StoredMail>> {
    const filters = { partyId, channel: channel ?? null }
    const isMine = maySee(context.caller, [partyId])
    return readPage(
      context,
      'mailbox',
      filters,
      { first, after },
      async (from, take) => (isMine ? listMails(context, filters, from, take) : []),
      ({ receivedAt, mailId }) => [receivedAt.toISOString(), mailId],
    )
  }

  @Requires('notifications:write')
  @Mutation(() => Notification, {
    description: 'Accepts a message for delivery, now or at `sendAt`.',
  })
  createNotification(
    @Arg('input', () => CreateNotificationInput) input: CreateNotificationInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return createNotification(context, input)
  }

  @Requires('notifications:write')
  @Mutation(() => Notification, { description: 'Takes back a message that was not sent yet.' })
  cancelNotification(
    @Arg('notificationId', () => ID) notificationId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return cancel(context, notificationId)
  }

  @Requires('notifications:write')
  @Mutation(() => Notification, {
    description: 'Follows what a provider reports of a message; late and repeated reports too.',
  })
  recordDeliveryReport(
    @Arg('provider', () => LabelScalar) provider: string,
    @Arg('messageId', () => ID, { description: 'The id of the notification.' }) messageId: string,
    @Arg('status', () => ReportedStatusEnum) status: ReportedStatus,
    @Arg('at', () => DateTimeScalar) at: Date,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return recordReport(context, { provider, messageId, status, at })
  }

  @Requires('notifications:read')
  @FieldResolver(() => String, { nullable: true, description: 'As it was, or will be, received.' })
  renderedSubject(@Root() notification: Domain): string | null {
    return notification.renderedSubject
  }

  @Requires('notifications:read')
  @FieldResolver(() => String, { nullable: true, description: 'As it was, or will be, received.' })
  renderedBody(@Root() notification: Domain): string | null {
    return notification.renderedBody
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a simulator took the message instead of a provider, so that it never left the bank. ' +
      'Only the sandbox simulates, and only channels without a configured provider.',
  })
  isSimulated(@Root() notification: Domain): boolean {
    return isSimulated(notification)
  }

  @FieldResolver(() => Party, { nullable: true })
  party(@Root() { partyId }: Domain): Party {
    return { partyId }
  }

  @Requires('notifications:read')
  @FieldResolver(() => NotificationTemplate, {
    nullable: true,
    description: 'The template that was chosen; null for delegated users.',
  })
  template(@Root() { templateId }: Domain, @Ctx() context: Context) {
    return loadTemplate(context, templateId)
  }
}

@Resolver(() => Party)
export class PartyNotificationsResolver {
  @Requires('notifications:read')
  @FieldResolver(() => NotificationConnection, { nullable: true })
  notifications(
    @Root() { partyId }: Party,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return notificationPage(context, partyId, { first, after })
  }
}

/** One page of notifications; of another party than the caller's it is empty. */
function notificationPage(
  context: Context,
  partyId: string | null,
  asked: PageAsked,
): Promise<Page<Domain>> {
  const isMine = maySee(context.caller, [partyId])
  return readPage(
    context,
    'notifications',
    { partyId },
    asked,
    async (from, take) => (isMine ? listNotifications(context, partyId, from, take) : []),
    ({ createdAt, notificationId }) => [createdAt.toISOString(), notificationId],
  )
}
