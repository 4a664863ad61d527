import { getNamedType, isInputObjectType, type GraphQLInputType } from 'graphql'
import type { GraphOperation } from './operations.ts'

/** References to records of others that are legitimate: whom one pays or entitles. */
const addressed = /^(creditorArrangementId|granteePartyId)$/
/** Members that reference a record as `type/id`. */
export const subjects = /^(subjects?|resource)$/

/** The arguments and input members of an operation that take an id. */
export function placesOf({ field }: GraphOperation): string[] {
  const places: string[] = []
  const walk = (name: string, type: GraphQLInputType, depth: number) => {
    const inner = getNamedType(type)
    const isId = inner.name === 'ID' || subjects.test(name)
    if (isId && !addressed.test(name)) places.push(name)
    if (!isInputObjectType(inner) || depth > 3) return
    for (const member of Object.values(inner.getFields())) walk(member.name, member.type, depth + 1)
  }
  for (const argument of field.args) walk(argument.name, argument.type, 0)
  return [...new Set(places)]
}

const entityOf: Record<string, string> = {
  arr: 'arrangement',
  pty: 'party',
  cus: 'customer',
  agr: 'agreement',
  app: 'application',
  loan: 'facility',
  fac: 'facility',
}

export function subjectOf(id: string): string {
  return `${entityOf[id.split('_')[0]!] ?? 'arrangement'}/${id}`
}

/** The errors of a response without the id, and whether its data is empty. */
export function outcomeOf(body: any, id: string): string {
  const errors = (body.errors ?? []) as any[]
  const problems = errors.map(({ message, extensions }) => [message, extensions])
  const codes = errors.map(({ extensions }) => extensions?.code as string)
  const isEmpty = (value: any): boolean =>
    value === null ||
    (Array.isArray(value) && value.length === 0) ||
    (typeof value === 'object' && Object.values(value).every(isEmpty))
  const nodes = Object.values(body.data ?? {}).map((each: any) =>
    Array.isArray(each?.nodes) ? each.nodes.length : isEmpty(each),
  )
  const text = JSON.stringify([...codes, nodes, problems])
  return text
    .replaceAll(subjectOf(id), 'ID')
    .replaceAll(id, 'ID')
    .replaceAll(/"(requestId|retryable)":"[^"]*",?/g, '')
}

/**
 * An id that the client chose for a new record may exist already; the response may say no more than
 * that. Submitting another party's application behaves like submitting an unknown one, which
 * creates it.
 */
export const isTaken = (outcome: string, { name }: GraphOperation) =>
  /^\["[A-Z_]+_EXISTS"/.test(outcome) ||
  (name === 'submitCreditApplication' && outcome.startsWith('["APPLICATION_NOT_FOUND"'))
