import type { Change } from './change.ts'
import { compareEvents } from './compare-events.ts'
import { compareGraph } from './compare-graph.ts'
import { compareRest } from './compare-rest.ts'
import type { Json, SchemaChange } from './compare-schemas.ts'
import type { Versions } from './report.ts'

/** The contracts with clients: the graph as SDL, REST as OpenAPI, the events as AsyncAPI. */
export interface Contracts {
  graph: string
  rest: Json
  events: Json
}

/** Returns the differences between two versions of the contracts, each once. */
export async function changesBetween(before: Contracts, after: Contracts): Promise<Change[]> {
  const found: [Change['contract'], readonly SchemaChange[]][] = [
    ['graph', await compareGraph(before.graph, after.graph)],
    ['rest', compareRest(before.rest, after.rest)],
    ['events', compareEvents(before.events, after.events)],
  ]
  const changes = found.flatMap(([contract, own]) => own.map((each) => ({ contract, ...each })))
  return [...new Map(changes.map((each) => [`${each.contract} ${each.message}`, each])).values()]
}

/** Reads the versions that the contracts carry. Throws an Error if the schema has none. */
export function versionsOf({ graph, rest, events }: Contracts): Versions {
  const version = /^# Version (\d+\.\d+\.\d+)\b/.exec(graph)?.[1]
  if (version === undefined) throw new Error('The schema of the graph has no version.')
  const infoOf = (document: Json) => document['info'] as { version: string }
  return { graph: version, rest: infoOf(rest).version, events: infoOf(events).version }
}
