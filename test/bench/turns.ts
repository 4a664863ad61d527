import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { freePort } from '../kit/free-port.ts'

/** A smoke run only shows that the benchmark works. Its figures mean nothing, and nothing is judged. */
export const isSmoke = process.env['BENCH_SMOKE'] === 'on'

export const rounds = Number(process.env['BENCH_ROUNDS'] ?? (isSmoke ? 1 : 5))
export const secondsPerTurn = Number(process.env['BENCH_SECONDS'] ?? (isSmoke ? 0.2 : 3))

/** A program that does the same work in its own way, in a process of its own. */
export interface Contender {
  name: string
  url: string
  token: string
  /** Of other clients, where one alone would be too many. */
  tokens: readonly string[]
  child: ChildProcess
}

/** Starts a contender on a database and waits until it serves. */
export async function start(
  name: string,
  databaseUrl: string,
  folder: string,
  settings: Record<string, string> = {},
): Promise<Contender> {
  const port = await freePort()
  const script = join(projectRoot, 'test/bench/contenders', `${name}.ts`)
  const child = fork(script, [databaseUrl, String(port), folder], {
    execArgv: ['--import', 'tsx', '--max-semi-space-size=64'],
    env: { ...process.env, NODE_ENV: 'production', ...settings },
  })
  type DomainEvent = { token: string; tokens?: readonly string[] }
  const { token, tokens = [token] } = await new Promise<DomainEvent>((resolve, reject) => {
    child.once('message', (message) => resolve(message as DomainEvent))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}.`)))
  })
  return { name, url: `http://127.0.0.1:${port}`, token, tokens, child }
}

export async function stop({ child }: Contender): Promise<void> {
  if (!isRunning({ child })) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

export function isRunning({ child }: Pick<Contender, 'child'>): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** The processor time a contender has used, in microseconds; for those that answer the question. */
export async function cpuMicros({ child }: Contender): Promise<number> {
  const { user, system } = await tell({ child }, 'cpu')
  return user + system
}

/**
 * Sends a message to a contender and waits for the answer, which is the processor time it has used.
 * Throws an Error if the contender has ended.
 */
export async function tell(
  { child }: Pick<Contender, 'child'>,
  message: string,
): Promise<NodeJS.CpuUsage> {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`A contender ended before it answered "${message}".`)
  })
  try {
    child.send(message)
    const [usage] = await Promise.race([once(child, 'message', { signal }), ended])
    return usage as NodeJS.CpuUsage
  } finally {
    ended.catch(() => undefined)
    settled.abort()
  }
}

export async function admin(server: EmbeddedPostgres, sql: string): Promise<void> {
  const client = new pg.Client(server.url('postgres'))
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** One way to do the work. `turn` works for some seconds and answers how much it did a second. */
export interface Side {
  label: string
  turn(seconds: number): Promise<number>
}

/** A figure of each side per round. They take turns; the first turn warms up and is not counted. */
export async function takeTurns(sides: readonly Side[]): Promise<Map<Side, number[]>> {
  const figures = new Map(sides.map((side) => [side, [] as number[]]))
  for (let round = 0; round <= rounds; round++) {
    for (const side of sides) {
      const figure = await side.turn(secondsPerTurn)
      if (round > 0) figures.get(side)!.push(figure)
    }
  }
  return figures
}

let serial = 0

/** A load of documented writes, each with an idempotency key of its own. */
export function post(
  { url, token }: Pick<Contender, 'url' | 'token'>,
  path: string,
  connections: number,
  body: () => object,
): autocannon.Options {
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `bench-${process.pid}-${++serial}`,
    },
    body: JSON.stringify(body()),
  })
  return { url, connections, requests: [{ method: 'POST', path, setupRequest }] }
}

/** Requests a second of an HTTP load, every one of them answered with success. */
export async function load(options: autocannon.Options, seconds: number): Promise<number> {
  const result = await autocannon({ ...options, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${options.url}: ${result.non2xx} refusals, ${result.errors} errors.`)
  }
  return result.requests.average
}

/** A load that runs until it is stopped. */
export interface SteadyLoad {
  /** How many requests were answered. */
  readonly answered: number
  stop(): Promise<void>
}

/** Starts a load. Stopping it throws if a request was not answered with success. */
export function steadyLoad(options: autocannon.Options): SteadyLoad {
  let answered = 0
  let failed = 0
  const running = autocannon({ ...options, duration: 24 * 60 * 60 }, () => undefined)
  running.on('response', (_client, status) => {
    answered++
    if (status >= 300) failed++
  })
  running.on('reqError', () => failed++)
  return {
    get answered() {
      return answered
    },
    async stop() {
      const ended = once(running, 'done')
      ;(running as unknown as { stop(): void }).stop()
      await ended
      if (failed > 0) throw new Error(`${options.url}: ${failed} requests failed.`)
    },
  }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** The median over the rounds of one side against another, round by round. */
export function ratio(own: readonly number[], other: readonly number[]): number {
  return median(own.map((value, round) => value / other[round]!))
}
