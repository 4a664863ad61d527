import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type autocannon from 'autocannon'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { loadSecrets } from '../../host/secrets.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { createTokenIssuer } from '../../oauth/issue-token.ts'
import { freePort } from '../kit/free-port.ts'
import { secondsOf } from './idle.ts'
import { print, record } from './report.ts'
import { load, median, post, ratio, rounds, secondsPerTurn } from './turns.ts'

/** The processes of subgraphs, as the chart and the Compose file divide them. */
const groups = [
  ['parties', 'products', 'channels', 'staff'],
  ['accounts', 'payments', 'fees', 'interest', 'general-ledger'],
  ['origination', 'lending', 'collateral', 'provisioning', 'collections'],
  ['casework', 'notifications', 'assist'],
  ['events', 'operations', 'privacy'],
]

/** Several programs that serve one bank. */
interface Deployment {
  url: string
  token: string
  children: ChildProcess[]
}

const query = (document: string) => (deployment: Deployment, connections: number) => ({
  url: `${deployment.url}/graphql`,
  connections,
  method: 'POST' as const,
  headers: { authorization: `Bearer ${deployment.token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ query: document }),
})
const write = (path: string, body: object) => (deployment: Deployment, connections: number) =>
  post(deployment, path, connections, () => body)

const loads: Record<string, (side: Deployment, connections: number) => autocannon.Options> = {
  'POST /notifications': write('/v1/notifications', {
    partyId: 'pty_ada',
    channel: 'secure-message',
    templateCode: 'tpl_welcome',
    sendAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  }),
  'POST /posting-instructions': write('/v1/posting-instructions', {
    debtorArrangementId: 'arr_ada_current',
    creditorArrangementId: 'arr_ada_savings',
    amount: { amount: '0.01', currency: 'EUR' },
  }),
  'a page of 50 notifications with their parties': query(
    '{ notifications(first: 50) { nodes { notificationId status party { displayName } } } }',
  ),
}

/**
 * What requests take when the gateway and the subgraphs are processes of their own, beside one process
 * with everything: the requests a second, and the processor time of all processes but the database.
 * They share the processors of this machine, so this shows what the network between them costs, and not
 * how much several machines do.
 */
export async function benchScaleOut(server: EmbeddedPostgres, folder: string): Promise<void> {
  if (!existsSync('/proc/self/stat')) {
    return console.log('scale-out: skipped, because there is no /proc')
  }
  const deployments: Deployment[] = []
  try {
    for (const split of [[], groups]) {
      const deployment: Deployment = { url: '', token: '', children: [] }
      deployments.push(deployment)
      await deploy(server, join(folder, `split-${split.length}`), split, deployment)
    }
    const [one, several] = deployments
    print(`A gateway and ${groups.length} processes of subgraphs, beside one process`)
    for (const [what, request] of Object.entries(loads)) {
      for (const connections of [1, 16]) {
        const name = connections === 1 ? what : `${what}, ${connections} connections`
        await compare(name, (side) => request(side, connections), [several!, one!])
      }
    }
  } finally {
    await Promise.all(deployments.flatMap(({ children }) => children.map(end)))
  }
}

/** Starts the program: in one process without groups, and as a gateway and a process for each group otherwise. */
async function deploy(
  server: EmbeddedPostgres,
  dataDir: string,
  split: readonly (readonly string[])[],
  deployment: Deployment,
): Promise<void> {
  const databases = ['live', 'sandbox'].map((name) => `scale_out_${split.length}_${name}`)
  for (const name of databases) {
    await server.ensureDatabase(name)
    await migrate(server.url(name))
  }
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const places = await Promise.all(split.map(async (names) => ({ names, port: await freePort() })))
  const urls = places.flatMap(({ names, port: own }) =>
    names.map((name) => [name, `http://127.0.0.1:${own}/${name}/graphql`]),
  )
  const { sandbox } = await loadSecrets(dataDir)
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATABASE_URL: server.url(databases[0]!),
    SANDBOX_DATABASE_URL: server.url(databases[1]!),
    SUBGRAPH_URLS: JSON.stringify(Object.fromEntries(urls)),
  }
  const url = `http://127.0.0.1:${sandboxPort}`
  const issueToken = createTokenIssuer({
    issuer: url,
    audience: url,
    signingJwks: () => [sandbox.signingJwk],
    now: () => new Date(),
  })
  const token = issueToken({
    clientId: 'bench',
    scope: everyScope.join(' '),
    ttlSeconds: 24 * 60 * 60,
  })
  Object.assign(deployment, { url, token })
  const { children } = deployment
  await Promise.all([
    startProgram(children, split.length > 0 ? ['gateway'] : [], settings),
    ...places.map(({ names, port: own }) =>
      startProgram(children, ['subgraph', ...names], { ...settings, SUBGRAPH_PORT: String(own) }),
    ),
  ])
  await seeded(deployment)
}

/** Starts a program, adds it to `children` at once, and waits until it is ready. */
async function startProgram(
  children: ChildProcess[],
  args: readonly string[],
  settings: Record<string, string>,
): Promise<void> {
  const script = ['--max-semi-space-size=64', 'dist/main.js', ...args]
  const child = spawn(process.execPath, script, {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...settings },
  })
  children.push(child)
  await new Promise<void>((resolve, reject) => {
    const lines = createInterface(child.stdout)
    lines.on('line', (line) => line.startsWith('ready ') && resolve())
    child.once('exit', (code) => reject(new Error(`The program ended with ${code}.`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Waits until the fixtures of the sandbox have their accounts, their loans and their templates. */
async function seeded({ url, token }: Deployment): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const document = `{ balance(arrangementId: "arr_ada_savings") { available }
    facility(facilityId: "loan_ada") { state }
    notificationTemplates(first: 200) { nodes { templateCode } } }`
  const body = JSON.stringify({ query: document })
  for (;;) {
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
    const text = await answer.text()
    if (/"available":".*"state":".*"tpl_welcome"/.test(text)) return
    await sleep(500)
  }
}

/** What a turn did: the requests a second, and microseconds of processor time for each. */
interface Turn {
  rate: number
  micros: number
}

async function compare(
  what: string,
  request: (side: Deployment) => autocannon.Options,
  sides: readonly Deployment[],
): Promise<void> {
  const turns = new Map(sides.map((side) => [side, [] as Turn[]]))
  for (let round = 0; round <= rounds; round++) {
    for (const side of sides) {
      const before = processorSeconds(side)
      const rate = await load(request(side), secondsPerTurn)
      const used = processorSeconds(side) - before
      // The first turn warms up.
      if (round > 0) turns.get(side)!.push({ rate, micros: (used * 1e6) / rate / secondsPerTurn })
    }
  }
  const [several, one] = sides.map((side) => turns.get(side)!)
  const rates = (of: readonly Turn[]) => of.map(({ rate }) => rate)
  const micros = (of: readonly Turn[]) => `${median(of.map((turn) => turn.micros)).toFixed(0)} µs`
  record({
    what,
    value: `${median(rates(several!)).toFixed(0)} /s, ${micros(several!)} of processor time`,
    peer: `one process: ${median(rates(one!)).toFixed(0)} /s, ${micros(one!)}`,
    ratio: ratio(rates(several!), rates(one!)),
  })
}

const processorSeconds = ({ children }: Deployment) =>
  children.reduce((sum, { pid }) => sum + secondsOf(pid!), 0)
