import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { loadSecrets } from '../../host/secrets.ts'
import { createTokenIssuer } from '../../oauth/issue-token.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { subgraphs } from '../../subgraphs/index.ts'
import { freshDatabase } from '../kit/database.ts'
import { freePort } from '../kit/free-port.ts'

/**
 * One process of the program. `end` waits until it exits; the exit code is null when a signal ended
 * it.
 */
export interface Program {
  /** Its output so far, stdout and stderr. */
  output(): string
  /** Sends a signal and does not wait for an effect. */
  signal(name: NodeJS.Signals): void
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts the built program with these arguments and settings. Resolves when it reports that it is
 * ready; throws its output when it exits before. `folder` is that of another release, and `prefix` a
 * command that runs the program elsewhere.
 */
export async function startProgram(
  args: readonly string[],
  settings: Record<string, string>,
  folder = projectRoot,
  prefix: readonly string[] = [],
): Promise<Program> {
  const script = ['--enable-source-maps', 'dist/main.js', ...args]
  const [command, ...rest] = [...prefix, process.execPath, ...script]
  const child = spawn(command!, rest, {
    cwd: folder,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...settings },
  })
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  child.stdout.on('data', (chunk) => (output += chunk))
  const exited = once(child, 'close') as Promise<[number | null]>
  await Promise.race([described(child, /^ready /m, () => output), exited])
  if (child.exitCode !== null || child.signalCode !== null) throw new Error(output)
  return {
    output: () => output,
    signal: (name) => void child.kill(name),
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

function described(child: ChildProcess, pattern: RegExp, output: () => string): Promise<void> {
  return new Promise((resolve) => {
    child.stdout!.on('data', () => pattern.test(output()) && resolve())
  })
}

/** The platform as one or more processes of its own. */
export interface RunningPlatform {
  live: string
  sandbox: string
  /** The URL of each subgraph; empty when all run in one process. */
  subgraphUrls: Record<string, string>
  dataDir: string
  settings: Record<string, string>
  programs: Map<string, Program>
  /** Issues a token for an environment, with every scope unless specified otherwise. */
  token(request?: { environment?: 'live' | 'sandbox'; scope?: string; partyId?: string }): string
  stop(): Promise<void>
}

/** Everything in one process. */
export async function aCompletePlatform(
  settings: Record<string, string> = {},
): Promise<RunningPlatform> {
  const { platform, drop } = await prepare({})
  Object.assign(platform.settings, settings)
  platform.programs.set('all', await startProgram([], platform.settings))
  return { ...platform, stop: () => stop(platform, drop) }
}

/**
 * A gateway, and one process per group of subgraphs; the subgraphs that no group names share one
 * more.
 */
export async function aSplitPlatform(
  groups: readonly string[][],
  extraSettings: Record<string, string> = {},
): Promise<RunningPlatform> {
  const others = subgraphs.map(({ name }) => name).filter((name) => !groups.flat().includes(name))
  const every = [...groups, others]
  const ports = await Promise.all(every.map(() => freePort()))
  const urls = every.flatMap((names, at) =>
    names.map((name) => [name, `http://127.0.0.1:${ports[at]}/${name}/graphql`] as const),
  )
  const { platform, drop } = await prepare(Object.fromEntries(urls))
  Object.assign(platform.settings, extraSettings)
  const startGroup = async (names: string[], at: number) => {
    const settings = { ...platform.settings, SUBGRAPH_PORT: String(ports[at]) }
    platform.programs.set(names[0]!, await startProgram(['subgraph', ...names], settings))
  }
  const startGateway = async () => {
    platform.programs.set('gateway', await startProgram(['gateway'], platform.settings))
  }
  // All start at once: no process waits for another, and one of them creates the secrets.
  await Promise.all([startGateway(), ...every.map(startGroup)])
  return { ...platform, stop: () => stop(platform, drop) }
}

async function prepare(subgraphUrls: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-modes-'))
  const [live, sandbox] = await Promise.all([freshDatabase(), freshDatabase()])
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const addresses = {
    live: `http://127.0.0.1:${port}`,
    sandbox: `http://127.0.0.1:${sandboxPort}`,
  }
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATABASE_URL: live.url,
    SANDBOX_DATABASE_URL: sandbox.url,
    SUBGRAPH_URLS: JSON.stringify(subgraphUrls),
  }
  const secrets = await loadSecrets(dataDir)
  const token: RunningPlatform['token'] = (request = {}) => {
    const { environment = 'live', scope = everyScope.join(' '), partyId } = request
    const { signingJwk } = secrets[environment]
    const issuer = addresses[environment]
    const issueToken = createTokenIssuer({
      issuer,
      audience: issuer,
      signingJwks: () => [signingJwk],
      now: () => new Date(),
    })
    const person = partyId && { partyId, subject: partyId }
    return issueToken({ clientId: 'test-client', scope, ...person })
  }
  const programs = new Map<string, Program>()
  return {
    platform: { ...addresses, subgraphUrls, dataDir, settings, programs, token },
    async drop() {
      await Promise.all([live.drop(), sandbox.drop()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function stop(
  { programs }: Pick<RunningPlatform, 'programs'>,
  drop: () => Promise<void>,
): Promise<void> {
  await Promise.all([...programs.values()].map((program) => program.end()))
  await drop()
}

export interface JsonAnswer {
  status: number
  headers: Headers
  // Responses have any shape.
  body: any
}

/**
 * Issues a token with every scope for a live environment, from the keys in its data folder; for a
 * customer if `partyId` is given.
 */
export async function liveToken(
  dataDir: string,
  issuer: string,
  clientId = 'test-client',
  partyId?: string,
): Promise<string> {
  const { signingJwk } = (await loadSecrets(dataDir)).live
  const now = () => new Date()
  const issueToken = createTokenIssuer({
    issuer,
    audience: issuer,
    signingJwks: () => [signingJwk],
    now,
  })
  const person = partyId && { partyId, subject: partyId }
  return issueToken({ clientId, scope: everyScope.join(' '), ...person })
}

/** Posts JSON, or gets when there is no body. */
export async function queryGraph(
  url: string,
  token: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<JsonAnswer> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

/** The first `count` results of a subscription over the WebSocket. */
export async function listenTo(
  url: string,
  token: string,
  query: string,
  count: number,
): Promise<unknown[]> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
  })
  const received: unknown[] = []
  for await (const answer of client.iterate({ query })) {
    received.push(answer)
    if (received.length === count) break
  }
  await client.dispose()
  return received
}
