import { compareSchemas, type Json, type SchemaChange } from './compare-schemas.ts'

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Json
}

interface Operation {
  operationId: string
  parameters: readonly Parameter[]
  security: readonly Readonly<Record<string, readonly string[]>>[]
  requestBody?: { required: boolean; content: Readonly<Record<string, { schema: Json }>> }
  responses: Readonly<Record<string, { content: Readonly<Record<string, { schema: Json }>> }>>
}

/** The two versions of an operation, and where it is. */
interface Pair {
  before: Operation
  after: Operation
  documents: { before: Json; after: Json }
  name: string
}

/** Compares two OpenAPI documents of the bank. */
export function compareRest(before: Json, after: Json): readonly SchemaChange[] {
  const [old, now] = [operationsOf(before), operationsOf(after)]
  const added = [...now.keys()].filter((name) => !old.has(name))
  return [
    ...[...old].flatMap(([name, operation]) => {
      const next = now.get(name)
      if (!next) return [{ isBreaking: true, message: `The operation \`${name}\` was removed.` }]
      const documents = { before, after }
      const pair = { before: operation, after: next, documents, name: `\`${name}\`` }
      return [
        ...nameChanges(pair),
        ...scopeChanges(pair),
        ...parameterChanges(pair),
        ...bodyChanges(pair),
        ...responseChanges(pair),
      ]
    }),
    ...added.map((name) => ({
      isBreaking: false,
      message: `The operation \`${name}\` was added.`,
    })),
    ...problemChanges(before, after),
  ]
}

function operationsOf(document: Json): Map<string, Operation> {
  const paths = document['paths'] as Record<string, Record<string, Operation>>
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    ),
  )
}

function nameChanges({ before, after, name }: Pair): SchemaChange[] {
  if (before.operationId === after.operationId) return []
  const [old, now] = [before.operationId, after.operationId]
  return [
    {
      isBreaking: true,
      message: `\`operationId\` of ${name} changed from \`${old}\` to \`${now}\`.`,
    },
  ]
}

function scopeChanges({ before, after, name }: Pair): SchemaChange[] {
  const [old, now] = [before, after].map(({ security }) => JSON.stringify(security))
  return old === now
    ? []
    : [{ isBreaking: true, message: `The scope that ${name} requires changed.` }]
}

function parameterChanges({ before, after, documents, name }: Pair): SchemaChange[] {
  const added = after.parameters.filter(
    (each) => !before.parameters.some((old) => old.name === each.name && old.in === each.in),
  )
  const labelOf = (parameter: Parameter) => `\`${parameter.name}\` of ${name}`
  return [
    ...before.parameters.flatMap((old) => {
      const now = after.parameters.find((each) => each.name === old.name && each.in === old.in)
      if (!now) return [{ isBreaking: true, message: `The parameter ${labelOf(old)} was removed.` }]
      const isStricter = now.required && !old.required
      return [
        ...(isStricter
          ? [{ isBreaking: true, message: `The parameter ${labelOf(old)} is now required.` }]
          : []),
        ...compareSchemas(
          { schema: old.schema, document: documents.before },
          { schema: now.schema, document: documents.after },
          'request',
          `the parameter ${labelOf(old)}`,
        ),
      ]
    }),
    ...added.map((each) => ({
      isBreaking: each.required,
      message: `The ${each.required ? 'required ' : ''}parameter ${labelOf(each)} was added.`,
    })),
  ]
}

const json = 'application/json'

function bodyChanges({ before, after, documents, name }: Pair): readonly SchemaChange[] {
  const [old, now] = [before.requestBody, after.requestBody]
  if (!old && !now) return []
  if (!old || !now) {
    const isBreaking = now ? now.required : true
    return [
      { isBreaking, message: `The request body of ${name} was ${now ? 'added' : 'removed'}.` },
    ]
  }
  const isStricter = now.required && !old.required
  return [
    ...(isStricter
      ? [{ isBreaking: true, message: `The request body of ${name} is now required.` }]
      : []),
    ...compareSchemas(
      { schema: old.content[json]!.schema, document: documents.before },
      { schema: now.content[json]!.schema, document: documents.after },
      'request',
      `the request of ${name}`,
    ),
  ]
}

/** Compares the responses of success. Those of errors are the same for all operations. */
function responseChanges({ before, after, documents, name }: Pair): readonly SchemaChange[] {
  const successOf = ({ responses }: Operation) =>
    Object.entries(responses).find(([status]) => status.startsWith('2'))!
  const [[oldStatus, old], [nowStatus, now]] = [successOf(before), successOf(after)]
  const lostTypes = Object.keys(old.content).filter((type) => !(type in now.content))
  return [
    ...(oldStatus === nowStatus
      ? []
      : [
          {
            isBreaking: true,
            message: `The status of ${name} changed from ${oldStatus} to ${nowStatus}.`,
          },
        ]),
    ...lostTypes.map((type) => ({
      isBreaking: true,
      message: `The response of ${name} is no longer available as \`${type}\`.`,
    })),
    ...(lostTypes.includes(json)
      ? []
      : compareSchemas(
          { schema: old.content[json]!.schema, document: documents.before },
          { schema: now.content[json]!.schema, document: documents.after },
          'response',
          `the response of ${name}`,
        )),
  ]
}

/** New codes may be added, but a known code keeps its status. */
function problemChanges(before: Json, after: Json): SchemaChange[] {
  const codesOf = (document: Json) => {
    const { schemas } = document['components'] as {
      schemas: { Problem: { 'x-problem-codes': Record<string, number> } }
    }
    return schemas.Problem['x-problem-codes']
  }
  const [old, now] = [codesOf(before), codesOf(after)]
  const added = Object.keys(now).filter((code) => !(code in old))
  return [
    ...Object.entries(old).flatMap(([code, status]) => {
      if (now[code] === status) return []
      const change = code in now ? `changed from ${status} to ${now[code]}` : 'was removed'
      const what = code in now ? `The status of the problem \`${code}\`` : `The problem \`${code}\``
      return [{ isBreaking: code in now, message: `${what} ${change}.` }]
    }),
    ...added.map((code) => ({ isBreaking: false, message: `The problem \`${code}\` was added.` })),
  ]
}
