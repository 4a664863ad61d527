/** A JSON Schema, or a document that contains some. */
export type Json = Readonly<Record<string, unknown>>

/** A schema, and the document that its references point into. */
export interface Side {
  schema: Json
  document: Json
}

/** Who writes the values of a schema: the client (`request`) or the bank (`response`). */
export type Use = 'request' | 'response'

export interface SchemaChange {
  isBreaking: boolean
  message: string
}

/** Keywords that limit the values of a client. Any change can reject what was accepted. */
const limits = [
  'pattern',
  'format',
  'const',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]

/** Keywords that a reader of a value relies on. */
const readerLimits = ['format', 'const']

/**
 * Compares two schemas, and returns each change. `place` is the path to the value. In a request, new
 * demands are breaking; in a response, what is no longer sent. A member or a value of an enumeration
 * that is removed is breaking in both. Descriptions are not compared.
 */
export function compareSchemas(
  before: Side,
  after: Side,
  use: Use,
  place: string,
): readonly SchemaChange[] {
  const [old, now] = [resolve(before), resolve(after)]
  return [
    ...typeChanges(old.schema, now.schema, use, place),
    ...enumChanges(old.schema, now.schema, place),
    ...limitChanges(old.schema, now.schema, use, place),
    ...memberChanges(old, now, use, place),
    ...requiredChanges(old.schema, now.schema, use, place),
    ...itemChanges(old, now, use, place),
    ...variantChanges(old, now, use, place),
  ]
}

function resolve({ schema, document }: Side): Side {
  const { $ref: reference } = schema
  if (typeof reference !== 'string') return { schema, document }
  const names = reference.slice(2).split('/')
  const target = names.reduce<Json>((value, name) => (value[name] ?? {}) as Json, document)
  return resolve({ schema: target, document })
}

const list = (value: unknown): readonly string[] =>
  value === undefined ? [] : ([value].flat() as unknown[]).map((each) => `${each as string}`)

const quoted = (values: readonly string[]) => values.map((each) => `\`${each}\``).join(', ')

function typeChanges(old: Json, now: Json, use: Use, place: string): SchemaChange[] {
  const [before, after] = [list(old['type']), list(now['type'])]
  if (before.toSorted().join() === after.toSorted().join()) return []
  const [given, accepted] = use === 'request' ? [before, after] : [after, before]
  const fits =
    accepted.length === 0 || (given.length > 0 && given.every((each) => accepted.includes(each)))
  const typeOf = (types: readonly string[]) => quoted(types.length > 0 ? types : ['any'])
  return [
    {
      isBreaking: !fits,
      message: `The type of ${place} changed from ${typeOf(before)} to ${typeOf(after)}.`,
    },
  ]
}

function enumChanges(old: Json, now: Json, place: string): SchemaChange[] {
  const [before, after] = [list(old['enum']), list(now['enum'])]
  if (before.length === 0 && after.length === 0) return []
  if (before.length === 0) {
    return [
      { isBreaking: true, message: `The values of ${place} were limited to ${quoted(after)}.` },
    ]
  }
  if (after.length === 0) {
    return [{ isBreaking: false, message: `The values of ${place} are no longer limited.` }]
  }
  const removed = before.filter((each) => !after.includes(each))
  const added = after.filter((each) => !before.includes(each))
  return [
    ...removed.map((value) => ({
      isBreaking: true,
      message: `The value \`${value}\` of ${place} was removed.`,
    })),
    ...added.map((value) => ({
      isBreaking: false,
      message: `The value \`${value}\` of ${place} was added.`,
    })),
  ]
}

function limitChanges(old: Json, now: Json, use: Use, place: string): SchemaChange[] {
  const textOf = (value: unknown) => (value === undefined ? 'none' : `\`${JSON.stringify(value)}\``)
  return (use === 'request' ? limits : readerLimits)
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => ({
      isBreaking: use === 'response' || !isWider(name, old[name], now[name]),
      message: `\`${name}\` of ${place} changed from ${textOf(old[name])} to ${textOf(now[name])}.`,
    }))
}

/** Whether each value that a limit accepted is accepted now. */
function isWider(name: string, before: unknown, after: unknown): boolean {
  if (after === undefined) return true
  if (typeof before !== 'number' || typeof after !== 'number') return false
  return name.startsWith('min') ? after < before : after > before
}

const membersOf = ({ schema }: Side) =>
  (schema['properties'] ?? {}) as Readonly<Record<string, Json>>

function memberChanges(old: Side, now: Side, use: Use, place: string): SchemaChange[] {
  const [before, after] = [membersOf(old), membersOf(now)]
  const added = Object.keys(after).filter((name) => !(name in before))
  return [
    ...Object.entries(before).flatMap(([name, schema]) => {
      const next = after[name]
      if (!next)
        return [{ isBreaking: true, message: `The member ${at(place, name)} was removed.` }]
      const sides = [
        { ...old, schema },
        { ...now, schema: next },
      ] as const
      return compareSchemas(...sides, use, at(place, name))
    }),
    ...added.map((name) => ({
      isBreaking: false,
      message: `The member ${at(place, name)} was added.`,
    })),
  ]
}

/** Returns the path to a member, such as `` `amount/currency` of the request of `POST /x` ``. */
function at(place: string, name: string): string {
  const match = /^`([^`]*)` of (.*)$/.exec(place)
  return match ? `\`${match[1]}/${name}\` of ${match[2]}` : `\`${name}\` of ${place}`
}

/** Members that are always present: `x-never-omitted` in responses, which have no `required`. */
const alwaysIn = (schema: Json) => [...list(schema['required']), ...list(schema['x-never-omitted'])]

function requiredChanges(old: Json, now: Json, use: Use, place: string): SchemaChange[] {
  const [before, after] = [alwaysIn(old), alwaysIn(now)]
  const remaining = Object.keys((now['properties'] ?? {}) as Json)
  const required = after.filter((name) => !before.includes(name))
  const optional = before.filter((name) => !after.includes(name) && remaining.includes(name))
  return [
    ...required.map((name) => ({
      isBreaking: use === 'request',
      message: `The member ${at(place, name)} is now ${use === 'request' ? 'required' : 'never omitted'}.`,
    })),
    ...optional.map((name) => ({
      isBreaking: use === 'response',
      message: `The member ${at(place, name)} can now be omitted.`,
    })),
  ]
}

function itemChanges(old: Side, now: Side, use: Use, place: string): readonly SchemaChange[] {
  const [before, after] = [old.schema['items'], now.schema['items']] as (Json | undefined)[]
  if (!before || !after) return []
  return compareSchemas({ ...old, schema: before }, { ...now, schema: after }, use, at(place, '*'))
}

function variantChanges(old: Side, now: Side, use: Use, place: string): SchemaChange[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((name) => {
    const [before, after] = [old.schema[name] ?? [], now.schema[name] ?? []] as Json[][]
    if (before!.length !== after!.length) {
      const isNarrower = before!.length > after!.length
      const isBreaking =
        name === 'allOf' || before!.length === 0 || isNarrower === (use === 'request')
      return [{ isBreaking, message: `The variants (\`${name}\`) of ${place} changed.` }]
    }
    return before!.flatMap((schema, index) =>
      compareSchemas({ ...old, schema }, { ...now, schema: after![index]! }, use, place),
    )
  })
}
