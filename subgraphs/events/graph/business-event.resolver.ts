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

/** What lives here is read here, under the caller's own rights. */
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

const after = {
  nullable: true,
  description: 'The position of the last event you have seen; from there on nothing is missed.',
}

@Resolver(() => BusinessEvent)
export class BusinessEventResolver {
  @Requires('events:read')
  @Query(() => BusinessEvent, { nullable: true, description: 'One event of the log.' })
  businessEvent(@Arg('eventId', () => ID) eventId: string, @Ctx() context: Context) {
    return loadEvent(context, eventId)
  }

  @Requires('events:read')
  @Query(() => BusinessEventConnection, {
    description: 'The log in its order, from the beginning or after a position.',
  })
  async businessEvents(
    @Arg('types', () => [String], {
      nullable: true,
      description: 'Exact types, `<area>.*` or `*`; all when absent.',
    })
    types: string[] | null,
    @Arg('subject', () => String, { nullable: true, description: '`<entity>/<id>`.' })
    subject: string | null,
    @Arg('after', () => String, after) afterText: string | null,
    @Arg('first', () => Int, { nullable: true, defaultValue: defaultPageSize }) first: number,
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
      'Business events as they are committed, in the order of the log. The gateway runs it: it ' +
      'resolves your selection anew for each event.',
  })
  heard(
    @Root() event: BusinessEvent,
    @Arg('types', () => [String], { nullable: true }) _types: string[] | null,
    @Arg('subject', () => String, { nullable: true }) _subject: string | null,
    @Arg('after', () => String, after) _after: string | null,
  ): BusinessEvent {
    return event
  }

  /** Where the log has none it is read when somebody asks for it, and only then. */
  @FieldResolver(() => JsonObjectScalar)
  data(@Root() event: BusinessEvent, @Ctx() context: Context) {
    return event.data ?? loadData(context, event)
  }

  @FieldResolver(() => EventSubject, { nullable: true })
  subject(@Root() event: BusinessEvent, @Ctx() context: Context) {
    return subjectReference(event.subjectId) ?? ownSubject(context, event.subjectId)
  }
}
