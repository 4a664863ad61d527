import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { print, record } from './report.ts'
import { startTpcb } from './tpcb.ts'
import {
  load,
  median,
  post,
  ratio,
  rounds,
  secondsPerTurn,
  start,
  stop,
  takeTurns,
  type Contender,
  type Side,
} from './turns.ts'

const spread = 1000
const hot = 8
const batchSize = 500
let serial = 0

/** Money moving, beside what the same PostgreSQL does with the smallest bank there is. */
export async function benchPostings(server: EmbeddedPostgres, folder: string): Promise<void> {
  await server.ensureDatabase('bench_postings')
  const url = server.url('bench_postings')
  await migrate(url)
  const bank = await start('posting-batcher', url, folder)
  try {
    const baseline = await startTpcb(server)
    const sides: [Side, number][] = [
      [inside(bank, spread), 5],
      [inside(bank, hot), 5],
      [
        { label: 'POST /posting-instructions, 32 connections', turn: (s) => load(single(bank), s) },
        1.1,
      ],
      [{ label: `the same in batches of ${batchSize}`, turn: (s) => inBatches(bank, s) }, 4],
    ]
    print(`Postings a second, ${rounds} rounds of ${secondsPerTurn} s each`)
    const figures = await takeTurns([baseline, ...sides.map(([side]) => side)])
    const measure = figures.get(baseline)!
    for (const [side, goal] of sides) {
      const own = figures.get(side)!
      const times = ratio(own, measure)
      record({
        what: side.label,
        value: `${median(own).toFixed(0)} /s`,
        peer: `${baseline.label}: ${median(measure).toFixed(0)} /s`,
        ratio: times,
        goal: `at least ${goal}`,
        isMet: times >= goal,
      })
    }
    const [many, few] = sides.map(([side]) => figures.get(side)!)
    const evenness = ratio(few!, many!)
    record({
      what: `${hot} hot accounts`,
      value: `${median(few!).toFixed(0)} /s`,
      peer: `${spread} accounts: ${median(many!).toFixed(0)} /s`,
      ratio: evenness,
      goal: 'at least 1',
      isMet: evenness >= 1,
    })
  } finally {
    await stop(bank)
  }
}

/** The batcher from inside the process: keys, phases, guards, entries with running balances, outbox. */
function inside({ child }: Contender, accounts: number): Side {
  return {
    label: `batcher, 256 in flight, ${accounts} accounts`,
    async turn(seconds) {
      child.send({ accounts, inFlight: 256, seconds })
      return new Promise((resolve) => {
        // The loader of TypeScript reports the modules it loads over the same channel.
        const take = (message: unknown) => {
          if (typeof message !== 'number') return
          child.off('message', take)
          resolve(message)
        }
        child.on('message', take)
      })
    },
  }
}

function transfer() {
  const debtor = ++serial % spread
  const creditor = (debtor + 1 + (serial % 7)) % spread
  return {
    debtorArrangementId: `arr_${debtor}`,
    creditorArrangementId: `arr_${creditor}`,
    amount: { amount: '1.00', currency: 'EUR' },
  }
}

const posting = (contender: Contender, connections: number, body: () => object) =>
  post(contender, '/posting-instructions', connections, body)

const single = (bank: Contender) => posting(bank, 32, transfer)

async function inBatches(bank: Contender, seconds: number): Promise<number> {
  const batch = () => ({ instructions: Array.from({ length: batchSize }, transfer) })
  return batchSize * (await load(posting(bank, 4, batch), seconds))
}
