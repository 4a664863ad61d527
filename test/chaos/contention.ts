import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { Pooler } from '../kit/pooler.ts'
import { random } from '../kit/random.ts'
import { openAccounts, type TestAccounts } from './contention-accounts.ts'
import { BankClient } from './contention-client.ts'
import { commandProducers, type BackgroundWork } from './contention-commands.ts'
import { createDatabase, type TestDatabase } from './contention-database.ts'
import { FaultLog, injectFaults, pause, stallBalances } from './contention-faults.ts'
import { checkBooks, checkFacilities, settleBackground } from './contention-findings.ts'
import { runClient, type Load } from './contention-load.ts'
import { compareJournal, LedgerModel, readPostingIds } from './contention-model.ts'
import { movementKinds, type MovementKind } from './contention-movement.ts'
import { postingProducers } from './contention-postings.ts'
import { Tally } from './contention-tally.ts'
import { WriterGroup } from './contention-writers.ts'

export interface ContentionOptions {
  /** Processes that write to the database at the same time. */
  writers: number
  /** How long the load lasts. */
  seconds: number
  /** The number of undisturbed movements until which a slow machine continues; 0 if not given. */
  movements?: number
  seed: number
  /** Processes that are killed and started again. */
  kills?: number
  /** Database sessions of the writers that are terminated; as many as kills when absent. */
  terminations?: number
  /** Clients over all processes, each with one request at a time. */
  connections?: number
  /** How often the books are checked under load. */
  checkEverySeconds?: number
  only?: readonly MovementKind[]
}

export interface ContentionResult {
  tally: Tally
  kills: number
  terminations: number
  findings: string[]
  /** Seconds from the start of the load to the first failed check; null when no check failed under load. */
  firstFindingSeconds: number | null
  loadSeconds: number
}

export const contentionDefaults = { kills: 0, connections: 48, checkEverySeconds: 10 }

/**
 * Several processes of the built program on one database, with accounts to move money between. Runs
 * are sequential; each uses as many processes as the previous one or more.
 */
export class ContentionTest {
  readonly #folder: string
  readonly #database: TestDatabase
  readonly #pooler: Pooler | null
  readonly #pool: Pool
  readonly #writers: WriterGroup
  #opened: { client: BankClient; accounts: TestAccounts } | null = null
  #hasFindings = false

  private constructor(folder: string, database: TestDatabase, pooler: Pooler | null) {
    this.#folder = folder
    this.#database = database
    this.#pooler = pooler
    this.#pool = new Pool({ connectionString: database.url, max: 4 })
    this.#pool.on('error', () => undefined)
    this.#writers = new WriterGroup({
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: pooler?.url ?? database.url,
      ...(pooler && { DATABASE_DIRECT_URL: database.url }),
    })
  }

  /**
   * Creates the database, on a temporary PostgreSQL unless a server is given. With `poolSize`, the
   * processes reach it through a pooler.
   */
  static async open(postgresUrl?: string, poolSize?: number): Promise<ContentionTest> {
    const folder = await mkdtemp(join(tmpdir(), 'bankgraph-contention-'))
    const database = await createDatabase(folder, postgresUrl)
    const pooler = poolSize ? await Pooler.start(database.url, { poolSize }) : null
    return new ContentionTest(folder, database, pooler)
  }

  /**
   * Moves money between the same accounts from all processes at once, with or without faults, and
   * compares the books with the invariants of the ledger and with what was acknowledged. The load ends
   * early when a check fails.
   */
  async run(options: ContentionOptions): Promise<ContentionResult> {
    if (this.#hasFindings) throw new Error('The books are inconsistent since an earlier run.')
    const [writers, pool] = [this.#writers, this.#pool]
    await writers.grow(options.writers)
    const { client, accounts } = (this.#opened ??= await this.#openAccounts())
    const before = await readPostingIds(pool)
    const background: BackgroundWork = { orders: [], feeRunIds: [] }
    const model = await LedgerModel.open(pool, [...accounts.hot, ...accounts.cold])
    const load = prepare(options, { client, writers, accounts, model }, background)
    const startedAt = performance.now()
    const firstFindingSeconds = await applyLoad(options, load, pool)
    const loadSeconds = (performance.now() - startedAt) / 1000
    const { faults, tally, findings } = load
    const address = await writers.address(0)
    findings.push(
      ...(await settleBackground(pool, model, background, { client, address })),
      ...(await checkBooks(pool)),
      ...(await checkFacilities(client, address)),
      ...(await model.differences(pool, load.doubtful)),
      ...(await compareJournal(pool, model, before)),
      ...writers.takeCrashes(),
    )
    this.#hasFindings = findings.length > 0
    const { kills, terminations } = faults
    return { tally, kills, terminations, findings, firstFindingSeconds, loadSeconds }
  }

  /** Ends the processes and removes the database; on a given server it is kept after findings. */
  async close(): Promise<void> {
    await this.#writers.stop()
    this.#opened?.client.close()
    await this.#pool.end()
    await this.#pooler?.remove()
    await this.#database.close(this.#hasFindings)
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  async #openAccounts() {
    const client = new BankClient(await this.#writers.token())
    return { client, accounts: await openAccounts(client, await this.#writers.address(0)) }
  }
}

function prepare(
  { connections = contentionDefaults.connections, only = movementKinds }: ContentionOptions,
  bed: Pick<Load, 'client' | 'writers' | 'model'> & { accounts: TestAccounts },
  background: BackgroundWork,
): Load {
  const { accounts, ...shared } = bed
  const postings = postingProducers(accounts)
  const commands = commandProducers(accounts, background)
  // Postings and commands have separate clients, so that slow ones do not displace fast ones.
  const groups = [postings, commands].map((each) => only.filter((kind) => kind in each))
  return {
    ...shared,
    producers: { ...postings, ...commands },
    hotAccounts: accounts.hot,
    connections,
    groups: groups.filter((kinds) => kinds.length > 0),
    faults: new FaultLog(),
    tally: new Tally(),
    findings: [],
    doubtful: [],
  }
}

/** Runs the clients and the faults. Resolves with the time of the first failed check, or null. */
async function applyLoad(
  options: ContentionOptions,
  load: Load,
  pool: Pool,
): Promise<number | null> {
  const { seconds, movements = 0, seed, kills = 0, terminations = kills } = options
  const { writers, faults: log, connections, hotAccounts } = load
  const over = new AbortController()
  const startedAt = performance.now()
  const isEnough = () => load.tally.undisturbed >= movements
  const end = endAfter(seconds, isEnough, over)
  const clients = Array.from({ length: connections }, (_, at) =>
    runClient(load, at, random(seed * 1000 + at), over.signal),
  )
  const plan = { kills, terminations, seconds, pool, writers, log }
  const faults = injectFaults(plan, random(seed), over.signal)
  const stalls = stallBalances(pool, hotAccounts, random(seed + 1), over.signal)
  const work = [...clients, faults, stalls, end]
  // Any failure ends the run; it is thrown when all work has ended.
  for (const each of work) each.catch(() => over.abort())
  const { checkEverySeconds = contentionDefaults.checkEverySeconds } = options
  const firstFinding = await watchBooks(pool, checkEverySeconds, over.signal)
  over.abort()
  await Promise.all(work)
  return firstFinding === null ? null : (firstFinding - startedAt) / 1000
}

/** How many times longer than planned a load takes at most, on a machine that is busy. */
const maxExtension = 8

/** Ends a load after a time, or later, once enough has happened. */
async function endAfter(
  seconds: number,
  isEnough: () => boolean,
  over: AbortController,
): Promise<void> {
  await pause(seconds * 1000, over.signal)
  const latest = performance.now() + (maxExtension - 1) * seconds * 1000
  while (!over.signal.aborted && !isEnough() && performance.now() < latest) {
    await pause(500, over.signal)
  }
  over.abort()
}

/** Checks the books until the run is over or a check fails. Resolves with the start of that check. */
async function watchBooks(
  pool: Pool,
  everySeconds: number,
  signal: AbortSignal,
): Promise<number | null> {
  for (let pauseMs = everySeconds * 1000; ;) {
    await pause(pauseMs, signal)
    if (signal.aborted) return null
    const begunAt = performance.now()
    if ((await checkBooks(pool)).length > 0) return begunAt
    // A check reads all books; the pause keeps checks to a small share of the time.
    pauseMs = Math.max(everySeconds * 1000, 9 * (performance.now() - begunAt))
  }
}
