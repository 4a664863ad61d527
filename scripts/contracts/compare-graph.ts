import { CriticalityLevel, diff, DiffRule } from '@graphql-inspector/core'
import { buildSchema } from 'graphql'
import type { SchemaChange } from './compare-schemas.ts'

/** Compares two schemas of the graph, given as SDL. Descriptions are not compared. */
export async function compareGraph(before: string, after: string): Promise<SchemaChange[]> {
  const [old, now] = [before, after].map((sdl) => buildSchema(sdl))
  const changes = await diff(old!, now!, [DiffRule.ignoreDescriptionChanges])
  return changes.map(({ message, criticality }) => ({
    isBreaking: criticality.level === CriticalityLevel.Breaking,
    message: `${message.replaceAll("'", '`').replace(/\.$/, '')}.`,
  }))
}
