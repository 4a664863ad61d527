import type pg from 'pg'
import { bankCaller } from './auth.ts'
import type { Context } from './context.ts'
import { Problem } from './domain/problem.ts'
import { readFacts } from './facts.ts'

/** What is published of a client as an actor (`principal/<clientId>`). */
export interface ClientPrincipal {
  /** Who is answerable for the client: a person, or a client that nobody registered. */
  owner: string
  /** People whose decisions the client may record. */
  actsFor: readonly string[]
}

export const principalSubject = (clientId: string) => `principal/${clientId}`

/** Whether a client has this name. Names of clients and of people are never the same. */
export async function isClient(context: Context, name: string): Promise<boolean> {
  const [fact] = await readFacts(context, [principalSubject(name)])
  return fact !== null
}

/**
 * The principals behind actors, in their order: the owner of a client; a person stands for themselves.
 * Two actors with one principal are one person as far as the segregation of duties goes.
 */
export async function principalsOf(context: Context, actors: readonly string[]): Promise<string[]> {
  const facts = await readFacts(context, actors.map(principalSubject))
  return actors.map((actor, at) => (facts[at] as ClientPrincipal | null)?.owner ?? actor)
}

/** The principal behind the caller. */
export async function callerPrincipal(context: Context): Promise<string> {
  const [principal] = await principalsOf(context, [context.caller.subject])
  return principal!
}

interface FourEyes {
  resourceId: string
  detail: string
}

/**
 * The four-eyes rule, for every decision that needs a second person: promises that the caller is
 * nobody of those who took part before, neither by name nor as the owner of a client that did.
 * Rejects with SEGREGATION_OF_DUTIES.
 */
export async function requireAnotherPerson(
  context: Context,
  participants: readonly (string | null)[],
  fourEyes: FourEyes,
): Promise<void> {
  const { subject, partyId } = context.caller
  await requireSeparate(context, subject, participants, fourEyes)
  // A customer may be named by their party as well.
  if (partyId !== null && participants.includes(partyId)) {
    throw new Problem('SEGREGATION_OF_DUTIES', { ...fourEyes })
  }
}

/** As `requireAnotherPerson`, for a decider who is not the caller. */
export async function requireSeparate(
  context: Context,
  decider: string,
  participants: readonly (string | null)[],
  fourEyes: FourEyes,
): Promise<void> {
  const named = participants.filter((name) => name !== null)
  const [principal, ...others] = await principalsOf(context, [decider, ...named])
  if (!others.includes(principal!)) return
  throw new Problem('SEGREGATION_OF_DUTIES', { ...fourEyes })
}

/**
 * Promises that the caller may record what this person decided: the caller is that person, or its
 * client is registered to act for them. Rejects with CANNOT_ACT_FOR.
 */
export async function requireActsFor(context: Context, person: string): Promise<void> {
  const { caller } = context
  if (person === caller.subject || caller === bankCaller) return
  const isOwnToken = caller.subject === caller.clientId
  const [fact] = await readFacts(context, [principalSubject(caller.clientId)])
  const { actsFor = [] } = (fact ?? {}) as Partial<ClientPrincipal>
  if (isOwnToken && actsFor.includes(person)) return
  const detail = `${caller.subject} is not registered to act for ${person}.`
  throw new Problem('CANNOT_ACT_FOR', { detail })
}

/** Publishes a client that exists from the start of an environment. It is its own owner. */
export async function seedPrincipal(
  pool: pg.Pool,
  clientId: string,
  actsFor: readonly string[],
): Promise<void> {
  await seedFact(pool, principalSubject(clientId), { owner: clientId, actsFor })
}

/** Publishes the name of a person who logs in here, so that no client can have it. */
export function seedPersonName(pool: pg.Pool, username: string): Promise<void> {
  return seedFact(pool, `person/${username.toLowerCase()}`, {})
}

async function seedFact(pool: pg.Pool, subject: string, data: object): Promise<void> {
  await pool.query(
    `insert into kernel.fact as f (subject, version, data) values ($1, 1, $2)
     on conflict (subject) do update set data = excluded.data, version = f.version + 1
     where f.data <> excluded.data`,
    [subject, JSON.stringify(data)],
  )
}
