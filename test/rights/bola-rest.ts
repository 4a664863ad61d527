import { documented, type DocumentedOperation } from '../contract/specification.ts'
import { goodBody, unique } from '../contract/kit.ts'
import type { Platform, RestAnswer } from '../kit/platform.ts'
import type { Faults } from './bola.ts'

/** Bodies of Grace's own that name records in other ways than the usual ones. */
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

/** Whom one pays is another one: that they are there is what has to be known. */
const addressed = new Set(['creditorArrangementId', 'productId'])
const graces: Record<string, string> = {
  customerId: 'cus_grace',
  partyId: 'pty_grace',
  arrangementId: 'arr_grace_current',
}

/**
 * Every documented operation over REST as Grace, with each id of Ada's in each place of the path, of
 * the query and of the body where an id goes, beside one that nobody has.
 */
export async function tryRest(
  bank: Platform,
  token: string,
  ids: readonly string[],
  nobodys: (like?: string) => string,
  found: Faults,
): Promise<void> {
  for (const operation of documented) {
    const bodies = [() => goodBody(operation.name), ...(more[operation.name] ?? [])]
    for (const body of bodies) {
      for (const place of placesOf(operation, body())) {
        const ask = (id: string) => askRest(bank, token, operation, place, id, body())
        const where = `REST ${operation.name} (${place})`
        const twin = async (like?: string) => {
          const id = nobodys(like)
          return outcomeOf(await ask(id), id)
        }
        const absent = await twin()
        for (const id of ids) {
          found.tries++
          const foreign = await ask(id)
          found.look(`${where} with ${id}`, foreign.body, id)
          const outcome = outcomeOf(foreign, id)
          if (outcome === absent || isTaken(foreign, operation)) continue
          const again = await twin(id)
          if (outcome !== again) {
            found.faults.push(`${where} with ${id}: ${outcome} but for an absent one ${again}`)
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

function askRest(
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

/** What an answer says about an id, with the id left out. */
function outcomeOf({ status, body }: RestAnswer, id: string): string {
  if (status < 400) return `${status}`
  // A rejected posting is kept, under an id of its own.
  const { requestId, postingInstructionId, ...told } = body as Record<string, unknown>
  return JSON.stringify([status, told]).replaceAll(id, 'ID')
}

/** An id that somebody chose for a new record may be taken; to submit an application that nobody has creates it. */
const isTaken = ({ body }: RestAnswer, { name }: DocumentedOperation) =>
  String(body?.code).endsWith('_EXISTS') ||
  (name.endsWith('/submit') && body?.code === 'APPLICATION_NOT_FOUND')
