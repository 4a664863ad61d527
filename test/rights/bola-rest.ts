import { documented, type DocumentedOperation } from '../contract/specification.ts'
import { goodBody, unique } from '../contract/kit.ts'
import type { Platform, RestAnswer } from '../kit/platform.ts'
import type { Faults } from './faults.ts'

/** More request bodies, with Grace's own ids, that reference records in unusual members. */
const more: Record<string, readonly (() => Record<string, unknown>)[]> = {
  'POST /posting-instructions': [
    () => ({
      debtorArrangementId: 'arr_grace_current',
      creditorArrangementId: 'arr_grace_current',
      amount: { amount: '1.00', currency: 'EUR' },
    }),
    () => ({ reversesId: 'pin_grace' }),
  ],
  'POST /notifications': [
    () => ({ partyId: 'pty_grace', channel: 'email', templateCode: 'welcome' }),
  ],
}

/** References to records of others that are legitimate, such as the account one pays to. */
const addressed = new Set(['creditorArrangementId', 'productId'])
const graces: Record<string, string> = {
  customerId: 'cus_grace',
  partyId: 'pty_grace',
  arrangementId: 'arr_grace_current',
}

/**
 * Calls every documented REST operation as Grace, with each of Ada's ids in each path, query and
 * body member that takes an id, and compares the response with that for an id that does not exist.
 */
export async function tryRest(
  bank: Platform,
  token: string,
  ids: readonly string[],
  invisibleId: (like?: string) => string,
  found: Faults,
): Promise<void> {
  for (const operation of documented) {
    const bodies = [() => goodBody(operation.name), ...(more[operation.name] ?? [])]
    for (const body of bodies) {
      for (const place of placesOf(operation, body())) {
        const callWith = (id: string) => callRest(bank, token, operation, place, id, body())
        const where = `REST ${operation.name} (${place})`
        const twin = async (like?: string) => {
          const id = invisibleId(like)
          return outcomeOf(await callWith(id), id)
        }
        const absent = await twin()
        for (const id of ids) {
          found.tries++
          const foreign = await callWith(id)
          found.look(`${where} with ${id}`, foreign.body, id)
          const outcome = outcomeOf(foreign, id)
          if (outcome === absent || isTaken(foreign, operation)) continue
          const again = await twin(id)
          if (outcome !== again) {
            found.faults.push(`${where} with ${id}: ${outcome} but for an absent id ${again}`)
          }
        }
      }
    }
  }
}

function placesOf({ parameters, path }: DocumentedOperation, body: object = {}): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name!}`)
  const isId = (name: string) => /Id$|^pageToken$/.test(name) && !addressed.has(name)
  const inQuery = parameters.query.filter(({ name }) => isId(name))
  const inBody = Object.keys(body).filter(isId)
  return [
    ...inPath,
    ...inQuery.map(({ name }) => `query ${name}`),
    ...inBody.map((name) => `body ${name}`),
  ]
}

function callRest(
  bank: Platform,
  token: string,
  { method, path }: DocumentedOperation,
  place: string,
  id: string,
  body: Record<string, unknown> | undefined,
): Promise<RestAnswer> {
  const [where, name] = place.split(' ') as [string, string]
  const filled = path.replaceAll(/\{\w+\}/g, encodeURIComponent(where === 'path' ? id : 'none'))
  const query = where === 'query' ? `?${name}=${encodeURIComponent(id)}` : ''
  const own = Object.entries(body ?? {}).map(([key, value]) => [key, graces[key] ?? value])
  const sent = body && { ...Object.fromEntries(own), ...(where === 'body' && { [name]: id }) }
  return bank.rest(method, filled + query, sent, { token, key: unique('bola') })
}

/** The status and problem of a response, without the id. */
function outcomeOf({ status, body }: RestAnswer, id: string): string {
  if (status < 400) return `${status}`
  // A rejected posting is stored under an id of its own.
  const { requestId, postingInstructionId, ...problem } = body as Record<string, unknown>
  return JSON.stringify([status, problem]).replaceAll(id, 'ID')
}

/**
 * An id that the client chose for a new record may exist already; submitting an unknown application
 * creates it.
 */
const isTaken = ({ body }: RestAnswer, { name }: DocumentedOperation) =>
  String(body?.code).endsWith('_EXISTS') ||
  (name.endsWith('/submit') && body?.code === 'APPLICATION_NOT_FOUND')
