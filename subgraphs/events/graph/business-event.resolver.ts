import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { filterSubject } from '../../_kernel/domain/filter-value.ts'
import { knownEvents } from '../../_kernel/events.ts'
import { JsonObjectScalar } from '../../_kernel/scalars.ts'
import { defaultPageSize, requirePageSize, type Page } from '../../_kernel/graph/connection.ts'
import { parsePosition, requireKnownTypes } from '../../_kernel/domain/event-filter.ts'
import { loadDelivery } from '../store/delivery.ts'
import { loadEndpoint } from '../store/endpoint.ts'
import { loadData, loadEvent, readEvents } from '../store/log.ts'
import { loadSubscription } from '../store/subscription.ts'
import { BusinessEvent, BusinessEventConnection } from './business-event.types.ts'
import { EventSubject, subjectReference } from './stubs.types.ts'

/** The subjects owned by this subgraph, read with the permissions of the caller. */
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
      'Returns one event of the event log; null when there is no such event or the caller ' +
      'may not see it.',
  })
  businessEvent(
    @Arg('eventId', () => ID, { description: 'The identifier of the event.' }) eventId: string,
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
        'Only events of these types: exact types, `<area>.*`, or `*` for all; all types when ' +
        'omitted.',
    })
    types: string[] | null,
    @Arg('subject', () => String, {
      nullable: true,
      description: 'Only events about this record, as `<entity>/<id>`.',
    })
    subject: string | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'The position after which the page starts; the beginning of the log when omitted.',
    })
    afterText: string | null,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: defaultPageSize,
      description: 'The maximum number of events on the page, from 1 to 200; 50 when omitted.',
    })
    first: number,
    @Ctx() context: Context,
  ): Promise<Page<BusinessEvent>> {
    requireKnownTypes(types, knownEvents.keys())
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
      'Emits business events as they are committed, in the order of the event log. The ' +
      'selection is resolved anew for each event.',
  })
  heard(
    @Root() event: BusinessEvent,
    @Arg('types', () => [String], {
      nullable: true,
      description:
        'Only events of these types: exact types, `<area>.*`, or `*` for all; all types when ' +
        'omitted.',
    })
    _types: string[] | null,
    @Arg('subject', () => String, {
      nullable: true,
      description: 'Only events about this record, as `<entity>/<id>`.',
    })
    _subject: string | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'The position of the last event received. All later events are emitted, without gaps; ' +
        'only new events when omitted.',
    })
    _after: string | null,
  ): BusinessEvent {
    return event
  }

  /** Data that the log does not contain is read from its source, only when it is selected. */
  @FieldResolver(() => JsonObjectScalar, {
    description: 'A snapshot of the record at the time of the event.',
  })
  data(@Root() event: BusinessEvent, @Ctx() context: Context) {
    return event.data ?? loadData(context, event)
  }

  @FieldResolver(() => EventSubject, {
    nullable: true,
    description:
      'The record that the event is about, in its current state; null when the record is ' +
      'not part of the graph or the caller may not read it.',
  })
  subject(@Root() event: BusinessEvent, @Ctx() context: Context) {
    return subjectReference(event.subjectId) ?? ownSubject(context, event.subjectId)
  }
}
