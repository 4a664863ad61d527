import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Query,
  Resolver,
  Root,
  Subscription,
} from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import { requireReceivableTypes } from '../../../kernel/authorization/restricted-events.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { filterSubject } from '../../../kernel/domain/filter-value.ts'
import { knownEvents } from '../../../kernel/events/events.ts'
import { JsonObjectScalar } from '../../../kernel/graph/scalars.ts'
import { defaultPageSize, requirePageSize, type Page } from '../../../kernel/graph/connection.ts'
import { parsePosition, requireKnownTypes } from '../../../kernel/domain/event-filter.ts'
import { loadDelivery } from '../store/delivery.ts'
import { loadEndpoint } from '../store/endpoint.ts'
import { loadData, loadEvent, readEvents } from '../store/log.ts'
import { loadSubscription } from '../store/subscription.ts'
import { BusinessEvent, BusinessEventConnection } from '../model/business-event.ts'
import { EventSubject, subjectReference } from './event-subject.ts'

/** Loads the event subjects that this subgraph owns, with the permissions of the caller. */
const ownSubjects = {
  subscription: { type: 'EventSubscription', load: loadSubscription },
  endpoint: { type: 'WebhookEndpoint', load: loadEndpoint },
  delivery: { type: 'WebhookDelivery', load: loadDelivery },
}

async function ownSubject(context: Context, subject: string): Promise<object | null> {
  const [entity = '', id = ''] = subject.split('/')
  if (!Object.hasOwn(ownSubjects, entity)) return null
  const { type, load } = ownSubjects[entity as keyof typeof ownSubjects]
  const found = await load(context, id)
  return found && { ...found, __typename: type }
}

@Resolver(() => BusinessEvent)
export class BusinessEventResolver {
  @Requires('events:read')
  @Query(() => BusinessEvent, {
    nullable: true,
    description:
      'Returns one event of the event log; null if the event does not exist or is not visible to ' +
      'the caller.',
  })
  businessEvent(
    @Arg('eventId', () => ID, { description: 'The ID of the event.' }) eventId: string,
    @Ctx() context: Context,
  ) {
    return loadEvent(context, eventId)
  }

  @Requires('events:read')
  @Query(() => BusinessEventConnection, {
    description: 'Returns events in the order of the event log. All filters must match.',
  })
  async businessEvents(
    @Arg('types', () => [String], {
      nullable: true,
      description:
        'Returns only events of these types: exact types, `<area>.*`, or `*` for all types. ' +
        'Defaults to all types.',
    })
    types: string[] | null,
    @Arg('subject', () => String, {
      nullable: true,
      description: 'Returns only events about this record, as `<entity>/<id>`.',
    })
    subject: string | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'The position of the last event of the previous page. If omitted, the page starts at the ' +
        'beginning of the log.',
    })
    afterText: string | null,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: defaultPageSize,
      description: 'The maximum number of events on the page, from 1 to 200. Defaults to 50.',
    })
    first: number,
    @Ctx() context: Context,
  ): Promise<Page<BusinessEvent>> {
    requireKnownTypes(types, knownEvents.keys())
    requireReceivableTypes(context.caller, types)
    requirePageSize(first)
    const filter = { types: types ?? null, subject: filterSubject(subject, '/subject') }
    const events = await readEvents(context, filter, parsePosition(afterText) ?? 0n, first + 1)
    const nodes = events.slice(0, first)
    return {
      nodes,
      edges: nodes.map((node) => ({ cursor: node.position.toString(), node })),
      pageInfo: {
        hasNextPage: events.length > first,
        endCursor: nodes.at(-1)?.position.toString() ?? afterText ?? null,
        pageSize: first,
      },
    }
  }

  @Requires('events:read')
  @Subscription(() => BusinessEvent, {
    name: 'businessEvents',
    topics: 'businessEvents',
    description:
      'Emits business events as they are committed, in the order of the event log. The selected ' +
      'fields are resolved separately for each event.',
  })
  received(
    @Root() event: BusinessEvent,
    @Arg('types', () => [String], {
      nullable: true,
      description:
        'Emits only events of these types: exact types, `<area>.*`, or `*` for all types. ' +
        'Defaults to all types.',
    })
    _types: string[] | null,
    @Arg('subject', () => String, {
      nullable: true,
      description: 'Emits only events about this record, as `<entity>/<id>`.',
    })
    _subject: string | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'The position of the last event received. All later events are emitted, without gaps. If ' +
        'omitted, only new events are emitted.',
    })
    _after: string | null,
    @Arg('afterEventId', () => ID, {
      nullable: true,
      description:
        'The ID of the event at the position `after`. If a failover lost this event, its position ' +
        'can belong to another event, and the subscription ends with POSITION_NOT_IN_LOG.',
    })
    _afterEventId: string | null,
  ): BusinessEvent {
    return event
  }

  /** Some event types keep their data outside the log. It is then read from their data source. */
  @FieldResolver(() => JsonObjectScalar, {
    description: 'A snapshot of the record at the time of the event. Its members depend on `type`.',
  })
  data(@Root() event: BusinessEvent, @Ctx() context: Context) {
    return event.data ?? loadData(context, event)
  }

  @FieldResolver(() => EventSubject, {
    nullable: true,
    description:
      'The record that the event is about, in its current state; null if the record is not part ' +
      'of the graph or is not visible to the caller.',
  })
  subject(@Root() event: BusinessEvent, @Ctx() context: Context) {
    return subjectReference(event.subjectId) ?? ownSubject(context, event.subjectId)
  }
}
