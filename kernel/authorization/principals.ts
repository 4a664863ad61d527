import type pg from 'pg'
import { bankCaller } from './auth.ts'
import type { Context } from '../environment/context.ts'
import { Problem } from '../domain/problem.ts'
import { readFacts, readHeldFacts } from '../writing/facts.ts'

/** The published fact about who is responsible for a client (`principal/<clientId>`). */
export interface ClientPrincipal {
  /**
   * The person who is responsible for the client. For a client of the platform itself, this is the
   * client's own ID.
   */
  owner: string
  /**
   * The persons whose decisions the client may record. A client with exactly its owner here speaks
   * for the owner.
   */
  actsFor: readonly string[]
}

export const principalSubject = (clientId: string) => `principal/${clientId}`

/** Whether the name is that of a client. A client and a person never have the same name. */
export async function isClient(context: Context, name: string): Promise<boolean> {
  const [fact] = await readFacts(context, [principalSubject(name)])
  return fact !== null
}

export const personSubject = (username: string) => `person/${username}`

/** The subject of the fact about the rights of an employee. */
export const employeeSubject = (username: string) => `employee/${username}`

/**
 * Whether a client, a person, a party or a customer has the name. The audit trail and the four-eyes
 * rules identify actors by their names, so two actors never have the same one.
 */
export async function isNameTaken(context: Context, name: string): Promise<boolean> {
  const subjects = [
    principalSubject(name),
    personSubject(name),
    `party/${name}`,
    `customer/${name}`,
  ]
  return (await readHeldFacts(context, subjects)).some((fact) => fact !== null)
}

/**
 * Returns the principals of actors, in the order of the actors. The principal of a client is its
 * owner; the principal of a person is the person. For the segregation of duties, two actors with
 * the same principal count as one person.
 */
export async function principalsOf(context: Context, actors: readonly string[]): Promise<string[]> {
  const facts = await readFacts(context, actors.map(principalSubject))
  return actors.map((actor, index) => (facts[index] as ClientPrincipal | null)?.owner ?? actor)
}

/** Returns who is responsible for a client, and for whom it acts; an unregistered one owns itself. */
export async function principalOfClient(
  context: Context,
  clientId: string,
): Promise<ClientPrincipal> {
  const [fact] = await readFacts(context, [principalSubject(clientId)])
  return (fact as ClientPrincipal | null) ?? { owner: clientId, actsFor: [] }
}

/** Returns the principal of the caller. */
export async function callerPrincipal(context: Context): Promise<string> {
  const [principal] = await principalsOf(context, [context.caller.subject])
  return principal!
}

interface FourEyes {
  resourceId: string
  detail: string
}

/**
 * Enforces the four-eyes rule for the caller. Throws SEGREGATION_OF_DUTIES if the caller and one of
 * the participants have the same principal.
 */
export async function requireAnotherPerson(
  context: Context,
  participants: readonly (string | null)[],
  fourEyes: FourEyes,
): Promise<void> {
  const { subject, partyId } = context.caller
  await requireSeparatePrincipals(context, subject, participants, fourEyes)
  // A participant may also be the ID of a party, which the subject of the token does not match.
  if (partyId !== null && participants.includes(partyId)) {
    throw new Problem('SEGREGATION_OF_DUTIES', { ...fourEyes })
  }
}

/**
 * Enforces the four-eyes rule for a decider who is not the caller. Throws SEGREGATION_OF_DUTIES if
 * the decider and one of the participants have the same principal.
 */
export async function requireSeparatePrincipals(
  context: Context,
  decider: string,
  participants: readonly (string | null)[],
  fourEyes: FourEyes,
): Promise<void> {
  const names = participants.filter((name) => name !== null)
  const [principal, ...others] = await principalsOf(context, [decider, ...names])
  if (!others.includes(principal!)) return
  throw new Problem('SEGREGATION_OF_DUTIES', { ...fourEyes })
}

/**
 * Checks that the caller may record a decision of `person`. Throws CANNOT_ACT_FOR unless the caller
 * is the person, the bank, or a client that is registered to act for the person and uses a token of
 * its own.
 */
export async function requireActsFor(context: Context, person: string): Promise<void> {
  const { caller } = context
  if (person === caller.subject || caller === bankCaller) return
  const isOwnToken = caller.subject === caller.clientId
  const { actsFor } = await principalOfClient(context, caller.clientId)
  if (isOwnToken && actsFor.includes(person)) return
  const detail = `${caller.subject} is not registered to act for ${person}.`
  throw new Problem('CANNOT_ACT_FOR', { detail })
}

/**
 * Publishes the principal of a client that exists from the start of an environment. By default, such
 * a client is its own owner.
 */
export async function seedPrincipal(
  pool: pg.Pool,
  clientId: string,
  actsFor: readonly string[],
  owner = clientId,
): Promise<void> {
  await seedFact(pool, principalSubject(clientId), { owner, actsFor })
}

/** Publishes the username of a person who can log in, so that no client can take the same name. */
export function seedPersonName(pool: pg.Pool, username: string): Promise<void> {
  return seedFact(pool, personSubject(username.toLowerCase()), {})
}

async function seedFact(pool: pg.Pool, subject: string, data: object): Promise<void> {
  await pool.query(
    `insert into kernel.fact as f (subject, version, data) values ($1, 1, $2)
     on conflict (subject) do update set data = excluded.data, version = f.version + 1
     where f.data <> excluded.data`,
    [subject, JSON.stringify(data)],
  )
}
