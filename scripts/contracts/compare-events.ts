import { compareSchemas, type Json, type SchemaChange } from './compare-schemas.ts'

interface Document {
  channels: Readonly<Record<string, unknown>>
  components: {
    messages: Readonly<Record<string, { payload: { allOf: readonly Json[] } }>>
    schemas: Readonly<Record<string, Json>>
  }
}

/** Compares two AsyncAPI documents of the bank. Its clients only receive. */
export function compareEvents(before: Json, after: Json): readonly SchemaChange[] {
  const [old, now] = [before, after] as unknown as [Document, Document]
  const added = Object.keys(now.channels).filter((type) => !(type in old.channels))
  return [
    ...Object.keys(old.channels).flatMap((type) => {
      if (!(type in now.channels)) {
        return [{ isBreaking: true, message: `The event \`${type}\` was removed.` }]
      }
      return compareSchemas(
        { schema: dataOf(old, type), document: before },
        { schema: dataOf(now, type), document: after },
        'response',
        `the event \`${type}\``,
      )
    }),
    ...added.map((type) => ({ isBreaking: false, message: `The event \`${type}\` was added.` })),
    ...Object.entries(old.components.schemas).flatMap(([name, schema]) =>
      compareSchemas(
        { schema, document: before },
        { schema: now.components.schemas[name] ?? {}, document: after },
        'response',
        `the schema \`${name}\``,
      ),
    ),
  ]
}

/** The payload without the members that all events share. */
const dataOf = (document: Document, type: string): Json =>
  document.components.messages[type]!.payload.allOf[1]!
