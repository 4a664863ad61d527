import {
  Mail,
  NewNotification,
  Notification,
  NotificationStatus,
  ReportedStatus,
} from '../model/notification.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { maySee, Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../kernel/graph/connection.ts'
import { isSimulated } from '../domain/transport.ts'
import {
  cancelNotificationById,
  createNotification,
  ownersOf,
  recordReport,
} from '../commands/notification.ts'
import { listMails } from '../store/mail.ts'
import {
  listNotifications,
  listNotificationsOf,
  loadNotification,
  type NotificationFilter,
} from '../store/notification.ts'
import { loadTemplate } from '../store/template.ts'
import { Party } from '../model/references.ts'
import { Channel } from '../model/channel.ts'
import { Template } from '../model/template.ts'
import { connectionOf, id, instant, label, object, oneOf } from '../../../kernel/domain/model.ts'
import {
  listing,
  lookup,
  operation,
  pageArguments,
  resolverOf,
} from '../../../kernel/graph/operations.ts'
import { selectedOfNodes } from '../../../kernel/graph/selected-fields.ts'

export const NotificationOperations = resolverOf({
  queries: {
    notification: lookup(Notification, {
      description: 'Returns a notification.',
      scope: 'notifications:read',
      async find(context, id) {
        const found = await loadNotification(context, id)
        return requireVisible(context, found, ownersOf, 'NOTIFICATION_NOT_FOUND', id)
      },
    }),
    notifications: operation({
      description:
        'Returns notifications in the order in which they were created. Delegated users get ' +
        'only their own notifications.',
      scope: 'notifications:read',
      returns: connectionOf(Notification),
      args: {
        partyId: id('Returns only notifications to this party.').orNull(),
        status: oneOf(
          NotificationStatus,
          'Returns only notifications with this delivery status.',
        ).orNull(),
        channel: oneOf(Channel, 'Returns only notifications over this channel.').orNull(),
        ...pageArguments(),
      },
      resolve(context, { partyId, status, channel, ...page }, _operation, selection) {
        const filter = { partyId: partyId ?? context.caller.partyId, status, channel }
        const fields = selectedOfNodes(selection)
        return notificationPage(context, filter, page, (from, take) =>
          listNotifications(context, filter, from, take, fields),
        )
      },
    }),
    mailbox: listing(Mail, {
      description:
        'Returns the inbox of a party at the bank, oldest message first: secure messages and, ' +
        'in the sandbox, simulated email, SMS and push messages.',
      scope: 'notifications:read',
      filters: {
        partyId: id('The ID of the party.'),
        channel: oneOf(Channel, 'Returns only messages on this channel.').orNull(),
      },
      list: async (context, filters, after, take) =>
        maySee(context.caller, [filters.partyId]) ? listMails(context, filters, after, take) : [],
      sortKey: ({ receivedAt, mailId }) => [receivedAt.toISOString(), mailId],
    }),
  },
  mutations: {
    createNotification: operation({
      description:
        'Creates a notification, which is sent immediately or at `sendAt`. If the party must ' +
        'not be notified, the notification is created with the status `SUPPRESSED`.',
      scope: 'notifications:write',
      returns: Notification,
      args: { input: object(NewNotification, 'The notification to create.') },
      resolve: (context, { input }) => createNotification(context, input),
    }),
    cancelNotification: operation({
      description: 'Cancels a queued notification.',
      scope: 'notifications:write',
      returns: Notification,
      args: { notificationId: id('The ID of the notification.') },
      resolve: (context, { notificationId }) => cancelNotificationById(context, notificationId),
    }),
    recordDeliveryReport: operation({
      description:
        'Records a delivery report from a provider. Late and repeated reports have no effect.',
      scope: 'notifications:write',
      returns: Notification,
      args: {
        provider: label('The delivery provider. It must match the `provider` of the notification.'),
        messageId: id('The ID of the notification.'),
        status: oneOf(ReportedStatus, 'The reported status.'),
        at: instant('When the notification reached the reported status.'),
      },
      resolve: (context, report) => recordReport(context, report),
    }),
  },
})

@Resolver(() => Notification)
export class NotificationResolver {
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
    const filter = { partyId, status: null, channel: null }
    return notificationPage(context, filter, { first, after }, (from, take) =>
      listNotificationsOf(context, partyId, from, take),
    )
  }
}

/** Returns one page of notifications. It is empty for parties that the caller may not read. */
function notificationPage(
  context: Context,
  filter: NotificationFilter,
  request: PageRequest,
  list: (from: string[] | null, take: number) => Promise<Notification[]>,
): Promise<Page<Notification>> {
  const isVisible = maySee(context.caller, [filter.partyId])
  return readPage(
    context,
    'notifications',
    { ...filter },
    request,
    async (from, take) => (isVisible ? list(from, take) : []),
    ({ createdAt, notificationId }) => [createdAt.toISOString(), notificationId],
  )
}
