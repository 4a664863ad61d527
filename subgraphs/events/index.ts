import 'reflect-metadata'
import type { Subgraph } from '../_kernel/subgraph.ts'
import { BusinessEventResolver } from './graph/business-event.resolver.ts'
import { stubs } from './graph/stubs.types.ts'
import { loadEvent } from './store.ts'

export const events: Subgraph = {
  name: 'events',
  resolvers: [BusinessEventResolver],
  types: stubs,
  references: {
    BusinessEvent: ({ eventId }: { eventId: string }, context) => loadEvent(context, eventId),
  },
  workers: [],
}
