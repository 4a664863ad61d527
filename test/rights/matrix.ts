import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { routes } from '../../rest-facade/routes.ts'
import { scopeOf } from '../../rest-facade/scope-of.ts'
import { Kind, type FieldNode, type OperationDefinitionNode } from 'graphql'
import { theGraph } from '../kit/platform.ts'
import { aSampleBank, freshPath, goodBody, unique, type SampleBank } from '../contract/kit.ts'
import { documented } from '../contract/specification.ts'
import { everyCredential, type Credential, type Expected } from './credentials.ts'
import { documentFor, graphOperations, type GraphOperation } from './operations.ts'
import type { Scope } from '../../kernel/domain/scopes.ts'

/** An operation over one transport. */
interface Endpoint {
  name: string
  scope: Scope | null
  /** Calls the operation with this authorization. */
  call(authorization: string | undefined, query: string | undefined): Promise<Seen>
}

interface Seen {
  status: number
  code: string | undefined
  scope: string | undefined
  challenge: string | null
}

/** The result of every operation with every credential. */
export interface Matrix {
  cells: number
  operations: string[]
  /** Root fields that declare no scope. */
  scopeless: string[]
  /** Cells with an unexpected response. */
  wrong: string[]
}

/** Calls every operation over every transport with every credential, or with selected ones. */
export async function tryMatrix(
  isTried: (credential: Credential) => boolean = () => true,
): Promise<Matrix> {
  const bank = await aSampleBank('live')
  try {
    const { supergraph } = await theGraph()
    const operations = graphOperations(bank.schema, supergraph)
    const endpoints = [
      ...(await restEndpoints(bank)),
      ...operations.flatMap((one) => graphEndpoints(bank, one)),
    ]
    const credentials = (await everyCredential(bank)).filter(isTried)
    const cells = endpoints.flatMap((server) =>
      credentials.flatMap((credential) => cellOf(server, credential)),
    )
    const wrong = (await inTurns(cells, 8)).filter((fault) => fault !== null)
    return {
      cells: cells.length,
      operations: endpoints.map(({ name }) => name),
      scopeless: operations.filter(({ scope }) => !scope).map(({ name }) => name),
      wrong,
    }
  } finally {
    await bank.stop()
  }
}

type Cell = () => Promise<string | null>

function cellOf({ name, scope, call }: Endpoint, credential: Credential): Cell[] {
  const shown = credential.show(scope)
  if (!shown) return []
  return [
    async () => {
      const seen = await call(shown.authorization, shown.query)
      const fault = faultOf(seen, credential.expects(scope))
      return fault && `${name}, ${credential.name}: ${fault}`
    },
  ]
}

const rights = ['UNAUTHENTICATED', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'INSUFFICIENT_SCOPE']

function faultOf(seen: Seen, expected: Expected): string | null {
  const text = JSON.stringify(seen)
  if (seen.status >= 500 || seen.code === 'INTERNAL') return `server error: ${text}`
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

/** Runs the cells with limited concurrency, so that no rate limit interferes. */
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

async function restEndpoints(bank: SampleBank): Promise<Endpoint[]> {
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
      async call(authorization, query) {
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

function graphEndpoints(bank: SampleBank, operation: GraphOperation): Endpoint[] {
  const { scope, type, name } = operation
  const request = documentFor(operation, '__typename')
  const named = (server: string) => `${server} ${type} ${name}`
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
      body: JSON.stringify(request),
    })
    return seenAtOnce(answer)
  }
  const get = async (authorization: string | undefined, query: string | undefined) => {
    const search = new URLSearchParams(query)
    search.set('query', request.query)
    search.set('variables', JSON.stringify(request.variables))
    const headers = { 'apollo-require-preflight': 'yes', ...(authorization && { authorization }) }
    return seenAtOnce(await fetch(address(search.toString()), { headers }))
  }
  if (type === 'subscription') {
    const overSocket = (authorization: string | undefined) =>
      listen(bank.url, request.query, authorization)
    return [
      { name: named('SSE'), scope, call: post },
      { name: named('WebSocket'), scope, call: overSocket },
    ]
  }
  const posted = { name: named('POST'), scope, call: post }
  return type === 'query' ? [posted, { name: named('GET'), scope, call: get }] : [posted]
}

/** Reads a response; a stream is canceled as soon as it has begun. */
async function seenAtOnce(answer: Response): Promise<Seen> {
  const isStream = answer.headers.get('content-type')?.includes('text/event-stream')
  if (!isStream) return seenIn(answer.status, answer.headers, await answer.json())
  await answer.body?.cancel()
  return seenIn(answer.status, answer.headers, null)
}

/** Subscribes over the WebSocket; one that is open 500 ms after the acknowledgment counts as admitted. */
function listen(url: string, query: string, authorization: string | undefined): Promise<Seen> {
  return new Promise((resolve) => {
    const seen = (status: number, error?: any) => {
      clearTimeout(waiting)
      const { code, scope } = error ?? {}
      resolve({ status, code, scope, challenge: error?.challenge ?? null })
      // The bank may stop while the socket still connects.
      void Promise.resolve(client.dispose()).catch(() => undefined)
    }
    let waiting = setTimeout(() => seen(504), 20_000)
    const acknowledged = () => {
      clearTimeout(waiting)
      waiting = setTimeout(() => seen(200), 500)
    }
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { ...(authorization && { authorization }) },
      retryAttempts: 0,
      on: { connected: acknowledged },
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

/**
 * Maps a close code to the equivalent HTTP response: a socket has no headers, so it is closed with
 * 4401 and a reason.
 */
function closing(error: any): [number, object] {
  if (Array.isArray(error)) return [200, error[0].extensions]
  const { code, reason } = error as { code: number; reason: string }
  if (code !== 4401) return [500, { code: `closed with ${code}` }]
  const isAbsent = reason.startsWith('Send {"authorization"')
  const isExpired = reason === 'The token has expired.'
  const named = isAbsent ? 'UNAUTHENTICATED' : isExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID'
  return [401, { code: named, challenge: isAbsent ? 'Bearer ' : 'Bearer error="invalid_token"' }]
}
