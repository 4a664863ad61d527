import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { routes } from '../../rest-facade/routes.ts'
import { scopeOf } from '../../rest-facade/scope-of.ts'
import { Kind, type FieldNode, type OperationDefinitionNode } from 'graphql'
import { theGraph } from '../kit/platform.ts'
import { aFurnishedBank, freshPath, goodBody, unique, type FurnishedBank } from '../contract/kit.ts'
import { documented } from '../contract/specification.ts'
import { everyCredential, type Credential, type Expected } from './credentials.ts'
import { documentFor, graphOperations, type GraphOperation } from './operations.ts'
import type { Scope } from '../../subgraphs/_kernel/scopes.ts'

/** An operation behind one of its doors. */
interface Door {
  name: string
  scope: Scope | null
  /** Knocks with a credential. */
  knock(authorization: string | undefined, query: string | undefined): Promise<Seen>
}

interface Seen {
  status: number
  code: string | undefined
  scope: string | undefined
  challenge: string | null
}

/** What came of every operation with every credential. */
export interface Matrix {
  cells: number
  operations: string[]
  /** Root fields that declare no scope. */
  scopeless: string[]
  /** Cells that were not answered as they should. */
  wrong: string[]
}

/** Tries every operation of the registry through every door with every credential, or with some. */
export async function tryMatrix(
  isTried: (credential: Credential) => boolean = () => true,
): Promise<Matrix> {
  const bank = await aFurnishedBank('live')
  try {
    const { supergraph } = await theGraph()
    const operations = graphOperations(bank.schema, supergraph)
    const doors = [
      ...(await restDoors(bank)),
      ...operations.flatMap((one) => graphDoors(bank, one)),
    ]
    const credentials = (await everyCredential(bank)).filter(isTried)
    const cells = doors.flatMap((door) =>
      credentials.flatMap((credential) => cellOf(door, credential)),
    )
    const wrong = (await inTurns(cells, 8)).filter((fault) => fault !== null)
    return {
      cells: cells.length,
      operations: doors.map(({ name }) => name),
      scopeless: operations.filter(({ scope }) => !scope).map(({ name }) => name),
      wrong,
    }
  } finally {
    await bank.stop()
  }
}

type Cell = () => Promise<string | null>

function cellOf({ name, scope, knock }: Door, credential: Credential): Cell[] {
  const shown = credential.show(scope)
  if (!shown) return []
  return [
    async () => {
      const seen = await knock(shown.authorization, shown.query)
      const fault = faultOf(seen, credential.expects(scope))
      return fault && `${name}, ${credential.name}: ${fault}`
    },
  ]
}

const rights = ['UNAUTHENTICATED', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'INSUFFICIENT_SCOPE']

function faultOf(seen: Seen, expected: Expected): string | null {
  const text = JSON.stringify(seen)
  if (seen.status >= 500 || seen.code === 'INTERNAL') return `our own failure: ${text}`
  if (expected.is === 'admitted') return rights.includes(seen.code ?? '') ? text : null
  if (expected.is === 'lacking') {
    const isNamed = seen.code === 'INSUFFICIENT_SCOPE' && seen.scope === expected.scope
    return isNamed ? null : `not INSUFFICIENT_SCOPE of ${expected.scope}: ${text}`
  }
  const isChallenged = seen.challenge?.startsWith('Bearer ')
  const hasError = seen.challenge?.includes('error="invalid_token"')
  const isAsItShould =
    seen.status === 401 &&
    seen.code === expected.code &&
    isChallenged &&
    hasError === (expected.code !== 'UNAUTHENTICATED')
  return isAsItShould ? null : `not ${expected.code}: ${text}`
}

/** A few at a time: what is tried is who may, not how many. */
async function inTurns(cells: readonly Cell[], width: number): Promise<(string | null)[]> {
  const found: (string | null)[] = []
  let next = 0
  const turn = async () => {
    while (next < cells.length) {
      const at = next++
      found[at] = await cells[at]!()
    }
  }
  await Promise.all(Array.from({ length: width }, turn))
  return found
}

async function restDoors(bank: FurnishedBank): Promise<Door[]> {
  const { supergraph } = await theGraph()
  return routes.map((route) => {
    const shown = documented.find(
      ({ method, path }) => method === route.method && path === route.path,
    )!
    const definition = route.operation.definitions.find(
      (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
    )!
    const root = definition.operation === 'query' ? 'Query' : 'Mutation'
    const field = definition.selectionSet.selections[0] as FieldNode
    const { name } = shown
    return {
      name: `REST ${name}`,
      scope: scopeOf(supergraph, root, field.name.value),
      async knock(authorization, query) {
        const isGood = authorization !== undefined
        const path = isGood ? await freshPath(bank, shown) : shown.path
        const body = goodBody(name)
        const {
          status,
          headers,
          body: answer,
        } = await bank.rest(route.method, query ? `${path}?${query}` : path, body, {
          token: null,
          key: unique('key'),
          headers: { ...(authorization && { authorization }) },
        })
        return seenIn(status, headers, answer)
      },
    }
  })
}

function seenIn(status: number, headers: Headers, answer: any): Seen {
  const problem = answer?.errors?.[0]?.extensions ?? answer
  return {
    status,
    code: problem?.code,
    scope: problem?.scope,
    challenge: headers.get('www-authenticate'),
  }
}

function graphDoors(bank: FurnishedBank, operation: GraphOperation): Door[] {
  const { scope, type, name } = operation
  const asked = documentFor(operation, '__typename')
  const named = (door: string) => `${door} ${type} ${name}`
  const address = (query: string | undefined) => `${bank.url}/graphql${query ? `?${query}` : ''}`
  const post = async (authorization: string | undefined, query: string | undefined) => {
    const accept = type === 'subscription' ? 'text/event-stream' : 'application/json'
    const answer = await fetch(address(query), {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        ...(authorization && { authorization }),
      },
      body: JSON.stringify(asked),
    })
    return seenAtOnce(answer)
  }
  const get = async (authorization: string | undefined, query: string | undefined) => {
    const search = new URLSearchParams(query)
    search.set('query', asked.query)
    search.set('variables', JSON.stringify(asked.variables))
    const headers = { 'apollo-require-preflight': 'yes', ...(authorization && { authorization }) }
    return seenAtOnce(await fetch(address(search.toString()), { headers }))
  }
  if (type === 'subscription') {
    const overSocket = (authorization: string | undefined) =>
      listen(bank.url, asked.query, authorization)
    return [
      { name: named('SSE'), scope, knock: post },
      { name: named('WebSocket'), scope, knock: overSocket },
    ]
  }
  const posted = { name: named('POST'), scope, knock: post }
  return type === 'query' ? [posted, { name: named('GET'), scope, knock: get }] : [posted]
}

/** What an answer says; a stream that began is left at once. */
async function seenAtOnce(answer: Response): Promise<Seen> {
  const isStream = answer.headers.get('content-type')?.includes('text/event-stream')
  if (!isStream) return seenIn(answer.status, answer.headers, await answer.json())
  await answer.body?.cancel()
  return seenIn(answer.status, answer.headers, null)
}

/** Subscribes over the WebSocket; a stream that stays open for a moment was admitted. */
function listen(url: string, query: string, authorization: string | undefined): Promise<Seen> {
  return new Promise((resolve) => {
    const seen = (status: number, error?: any) => {
      clearTimeout(waiting)
      const { code, scope } = error ?? {}
      resolve({ status, code, scope, challenge: error?.challenge ?? null })
      void client.dispose()
    }
    const waiting = setTimeout(() => seen(200), 500)
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { ...(authorization && { authorization }) },
      retryAttempts: 0,
    })
    client.subscribe(
      { query },
      {
        next: () => undefined,
        complete: () => undefined,
        error: (error) => seen(...closing(error)),
      },
    )
  })
}

/** A socket has no headers to challenge with: it is closed with 4401 and says why. */
function closing(error: any): [number, object] {
  if (Array.isArray(error)) return [200, error[0].extensions]
  const { code, reason } = error as { code: number; reason: string }
  if (code !== 4401) return [500, { code: `closed with ${code}` }]
  const isAbsent = reason.startsWith('Send {"authorization"')
  const isExpired = reason === 'The token has expired.'
  const named = isAbsent ? 'UNAUTHENTICATED' : isExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID'
  return [401, { code: named, challenge: isAbsent ? 'Bearer ' : 'Bearer error="invalid_token"' }]
}
