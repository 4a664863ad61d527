import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { BankClient, Connection } from '../../src/index.ts'
import { styled, type Output } from '../output.ts'
import { clientOf, findProfile, type GlobalOptions } from '../profile.ts'

interface LoggedRequest {
  entryId: string
  at: string
  method: string
  path: string
  operation: string
  status: number
  durationMs: number
  idempotencyKey: string | null
  requestId: string
  code: string | null
  requestBody: string | null
  responseBody: string | null
}

interface LoggedRequests {
  loggedRequests: Connection<LoggedRequest>
}

interface TailOptions extends GlobalOptions {
  client?: string
  rejected?: boolean
  count?: string
  bodies?: boolean
}

const pollMs = 1000
const firstPage = 10
const pageSize = 50
const document = `query LoggedRequests($filter: LoggedRequestFilter, $first: Int!, $after: String) {
  loggedRequests(filter: $filter, first: $first, after: $after) {
    nodes {
      entryId at method path operation status durationMs idempotencyKey requestId code requestBody responseBody
    }
    pageInfo { hasNextPage endCursor }
  }
}`

/** Adds the commands that show what a program sent, and what it got. */
export function addLogs(program: Command, output: (command: Command) => Output): void {
  program
    .command('logs')
    .description('the requests of your program')
    .command('tail')
    .description('print requests as they are answered, beginning with the latest ten')
    .option('--client <id>', 'the requests of this OAuth client; needs operations:read')
    .option('--rejected', 'only requests whose response is a problem')
    .option('--bodies', 'print the masked bodies as well')
    .option('--count <number>', 'stop after this many requests')
    .action(async (_: object, command: Command) => {
      const options = command.optsWithGlobals<TailOptions>()
      const out = output(command)
      const limit = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count)
      let printed = 0
      for await (const request of followRequests(clientOf(findProfile(options)), options)) {
        print(out, request, options.bodies === true)
        if (++printed >= limit) return
      }
    })
}

/** Returns the latest ten requests, and then each new one, in the order of their responses. */
async function* followRequests(
  bank: BankClient,
  { client, rejected }: TailOptions,
): AsyncGenerator<LoggedRequest, void> {
  const filter = { ...(client && { clientId: client }), ...(rejected && { isRejected: true }) }
  let last: bigint | null = null
  for (;;) {
    const requests = await readSince(bank, filter, last)
    last = BigInt(requests[0]?.entryId ?? last ?? 0)
    // The requests of this command itself are not what somebody wants to see.
    yield* requests.filter(({ operation }) => operation !== 'LoggedRequests').toReversed()
    await sleep(pollMs)
  }
}

/** Returns the requests behind an entry, the latest first; the latest ten if there is none. */
async function readSince(
  bank: BankClient,
  filter: object,
  last: bigint | null,
): Promise<LoggedRequest[]> {
  const list = bank.graphList<LoggedRequests, object, LoggedRequest>(
    document,
    { filter, first: last === null ? firstPage : pageSize },
    ({ loggedRequests }) => loggedRequests,
  )
  const requests: LoggedRequest[] = []
  for await (const request of list) {
    const isKnown = last === null ? requests.length >= firstPage : BigInt(request.entryId) <= last
    if (isKnown) break
    requests.push(request)
  }
  return requests
}

function print(output: Output, request: LoggedRequest, withBodies: boolean): void {
  if (output.isJson) return output.value(request)
  const { at, status, method, path, operation, durationMs, requestId, code } = request
  const result = styled(
    code === null ? 'green' : 'red',
    code === null ? String(status) : `${status} ${code}`,
  )
  const dim = (text: string) => styled('dim', text)
  output.line(
    `${dim(at)} ${result} ${method} ${path} ${operation} ${dim(`${durationMs} ms ${requestId}`)}`,
  )
  if (!withBodies) return
  if (request.requestBody) output.line(`  > ${request.requestBody}`)
  if (request.responseBody) output.line(`  < ${request.responseBody}`)
}
