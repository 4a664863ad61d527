import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { BankClient, Connection } from '../../src/index.ts'
import { Failure } from '../failure.ts'
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
  follow: boolean
}

const pollMs = 1000
const firstPage = 10
const pageSize = 50
const maxRead = 1000
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
    .description('print the latest ten requests, then each new one until you press Ctrl+C')
    .option('--client <id>', 'the requests of this OAuth client; needs operations:read')
    .option('--rejected', 'only requests whose response is a problem')
    .option('--bodies', 'print the masked bodies as well')
    .option('--count <number>', 'stop after this many requests; waits for new ones until then')
    .option('--no-follow', 'print the latest requests, ten or as many as --count says, and stop')
    .action(async (_: object, command: Command) => {
      const options = command.optsWithGlobals<TailOptions>()
      const out = output(command)
      const { count, follow, bodies } = options
      const limit = count === undefined ? Number.POSITIVE_INFINITY : Number(count)
      if (!(limit >= 1)) throw new Failure('--count must be a number from 1.')
      const maxLatest = follow || count === undefined ? firstPage : limit
      const bank = clientOf(findProfile(options))
      let printed = 0
      for await (const request of requestsOf(bank, options, maxLatest)) {
        print(out, request, bodies === true)
        if (++printed >= limit) return
      }
    })
}

/**
 * Returns the latest requests, at most `maxLatest`, in the order of their responses and, unless `follow`
 * is false, each new one.
 */
async function* requestsOf(
  bank: BankClient,
  { client, rejected, follow }: TailOptions,
  maxLatest: number,
): AsyncGenerator<LoggedRequest, void> {
  const filter = { ...(client && { clientId: client }), ...(rejected && { isRejected: true }) }
  let last: bigint | null = null
  for (;;) {
    const requests = await readSince(bank, filter, last, maxLatest)
    last = BigInt(requests[0]?.entryId ?? last ?? 0)
    yield* requests.filter(isOfProgram).toReversed()
    if (!follow) return
    await sleep(pollMs)
  }
}

/** The requests of this command itself are not what somebody wants to see. */
const isOfProgram = ({ operation }: LoggedRequest) => operation !== 'LoggedRequests'

/**
 * Returns the requests behind an entry, the latest first. If there is none, returns the latest
 * `maxLatest` of a program, among at most `maxRead`.
 */
async function readSince(
  bank: BankClient,
  filter: object,
  last: bigint | null,
  maxLatest: number,
): Promise<LoggedRequest[]> {
  const list = bank.graphList<LoggedRequests, object, LoggedRequest>(
    document,
    { filter, first: last === null && maxLatest <= firstPage ? firstPage : pageSize },
    ({ loggedRequests }) => loggedRequests,
  )
  const requests: LoggedRequest[] = []
  let latest = 0
  for await (const request of list) {
    const isEnough = latest >= maxLatest || requests.length >= maxRead
    if (last === null ? isEnough : BigInt(request.entryId) <= last) break
    requests.push(request)
    if (isOfProgram(request)) latest++
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
