import { Mail, NewNotification, Notification, ReportedStatus } from '../model/notification.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { maySee, Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../kernel/graph/connection.ts'
import { DateTimeScalar, LabelScalar } from '../../../kernel/graph/scalars.ts'
import { isSimulated } from '../domain/transport.ts'
import {
  cancelNotificationById,
  createNotification,
  ownersOf,
  recordReport,
} from '../commands/notification.ts'
import { listMails } from '../store/mail.ts'
import { listNotifications, loadNotification } from '../store/notification.ts'
import { loadTemplate } from '../store/template.ts'
import { Party } from '../model/references.ts'
import { Channel } from '../model/channel.ts'
import { Template } from '../model/template.ts'
import { connectionOf } from '../../../kernel/domain/model.ts'

@Resolver(() => Notification)
export class NotificationResolver {
  @Requires('notifications:read')
  @Query(() => Notification, { description: 'Returns a notification.' })
  async notification(
    @Arg('notificationId', () => ID, { description: 'The ID of the notification.' })
    notificationId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadNotification(context, notificationId)
    return requireVisible(context, found, ownersOf, 'NOTIFICATION_NOT_FOUND', notificationId)
  }

  @Requires('notifications:read')
  @Query(() => connectionOf(Notification), {
    description:
      'Returns notifications in the order in which they were created. Delegated users get only ' +
      'their own notifications.',
  })
  notifications(
    @Arg('partyId', () => ID, {
      nullable: true,
      description: 'Returns only notifications to this party.',
    })
    partyId: string | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Notification>> {
    return notificationPage(context, partyId ?? context.caller.partyId, { first, after })
  }

  @Requires('notifications:read')
  @Query(() => connectionOf(Mail), {
    description:
      'Returns the inbox of a party at the bank, oldest message first: secure messages and, in ' +
      'the sandbox, simulated email, SMS and push messages.',
  })
  mailbox(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Arg('channel', () => Channel, {
      nullable: true,
      description: 'Returns only messages on this channel.',
    })
    channel: Channel | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Mail>> {
    const filters = { partyId, channel: channel ?? null }
    const isVisible = maySee(context.caller, [partyId])
    return readPage(
      context,
      'mailbox',
      filters,
      { first, after },
      async (from, take) => (isVisible ? listMails(context, filters, from, take) : []),
      ({ receivedAt, mailId }) => [receivedAt.toISOString(), mailId],
    )
  }

  @Requires('notifications:write')
  @Mutation(() => Notification, {
    description:
      'Creates a notification, which is sent immediately or at `sendAt`. If the party must not ' +
      'be notified, the notification is created with the status `SUPPRESSED`.',
  })
  createNotification(
    @Arg('input', () => NewNotification, { description: 'The notification to create.' })
    input: NewNotification,
    @Ctx() context: Context,
  ): Promise<Notification> {
    return createNotification(context, input)
  }

  @Requires('notifications:write')
  @Mutation(() => Notification, { description: 'Cancels a queued notification.' })
  cancelNotification(
    @Arg('notificationId', () => ID, { description: 'The ID of the notification.' })
    notificationId: string,
    @Ctx() context: Context,
  ): Promise<Notification> {
    return cancelNotificationById(context, notificationId)
  }

  @Requires('notifications:write')
  @Mutation(() => Notification, {
    description:
      'Records a delivery report from a provider. Late and repeated reports have no effect.',
  })
  recordDeliveryReport(
    @Arg('provider', () => LabelScalar, {
      description: 'The delivery provider. It must match the `provider` of the notification.',
    })
    provider: string,
    @Arg('messageId', () => ID, { description: 'The ID of the notification.' }) messageId: string,
    @Arg('status', () => ReportedStatus, { description: 'The reported status.' })
    status: ReportedStatus,
    @Arg('at', () => DateTimeScalar, {
      description: 'When the notification reached the reported status.',
    })
    at: Date,
    @Ctx() context: Context,
  ): Promise<Notification> {
    return recordReport(context, { provider, messageId, status, at })
  }

  @Requires('notifications:read')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The subject with all variables replaced by their values; null before the notification is ' +
      'accepted, and for channels without subjects.',
  })
  renderedSubject(@Root() notification: Notification): string | null {
    return notification.renderedSubject
  }

  @Requires('notifications:read')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The body with all variables replaced by their values; null before the notification is ' +
      'accepted.',
  })
  renderedBody(@Root() notification: Notification): string | null {
    return notification.renderedBody
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a simulator received the message instead of a provider, so that the message never ' +
      'left the bank. True only in the sandbox, and only for channels without a configured ' +
      'provider.',
  })
  isSimulated(@Root() notification: Notification): boolean {
    return isSimulated(notification)
  }

  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The party that receives the notification.',
  })
  party(@Root() { partyId }: Notification): Party {
    return { partyId }
  }

  @Requires('notifications:read')
  @FieldResolver(() => Template, {
    nullable: true,
    description: 'The template from which the notification is rendered; null for delegated users.',
  })
  template(@Root() { templateId }: Notification, @Ctx() context: Context) {
    return loadTemplate(context, templateId)
  }
}

@Resolver(() => Party)
export class PartyNotificationsResolver {
  @Requires('notifications:read')
  @FieldResolver(() => connectionOf(Notification), {
    nullable: true,
    description: 'The notifications to the party, in the order in which they were created.',
  })
  notifications(
    @Root() { partyId }: Party,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Notification>> {
    return notificationPage(context, partyId, { first, after })
  }
}

/** Returns one page of notifications. It is empty for parties that the caller may not read. */
function notificationPage(
  context: Context,
  partyId: string | null,
  request: PageRequest,
): Promise<Page<Notification>> {
  const isVisible = maySee(context.caller, [partyId])
  return readPage(
    context,
    'notifications',
    { partyId },
    request,
    async (from, take) => (isVisible ? listNotifications(context, partyId, from, take) : []),
    ({ createdAt, notificationId }) => [createdAt.toISOString(), notificationId],
  )
}
