import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type autocannon from 'autocannon'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { freePort } from '../kit/free-port.ts'
import { print, record } from './report.ts'
import { load, median, ratio, start, stop, takeTurns, type Contender } from './turns.ts'

const connections = 16
const names = ['north', 'south'] as const

const transfer = () => ({
  debtorArrangementId: 'arr_ada_current',
  creditorArrangementId: 'arr_ada_savings',
  amount: { amount: '0.01', currency: 'EUR' },
})

/**
 * What two cells do through the router of the example, beside one cell through it and without it. All
 * share the processors of this machine, so this shows what the router costs, and not how much two
 * machines do.
 */
export async function benchCells(server: EmbeddedPostgres, folder: string): Promise<void> {
  const other = await startEmbeddedPostgres({
    dataDir: join(folder, 'south'),
    log: () => undefined,
  })
  const contenders: Contender[] = []
  const router = { stop: async () => {}, url: '' }
  try {
    for (const each of [server, other]) {
      await each.ensureDatabase('cell')
      await migrate(each.url('cell'))
      await stop(await start('fixtures', each.url('cell'), folder))
      contenders.push(await start('bankgraph', each.url('cell'), folder))
    }
    Object.assign(router, await startRouter(contenders, folder))
    const [north] = contenders
    const sides = [
      { label: 'direct', options: () => through(north!.url, [north!]) },
      { label: 'one', options: () => through(router.url, [north!]) },
      { label: 'two', options: () => through(router.url, contenders) },
    ].map(({ label, options }) => ({
      label,
      turn: (seconds: number) => load(options(), seconds),
    }))
    const figures = await takeTurns(sides)
    const [direct, one, two] = sides.map((side) => figures.get(side)!)
    print('Transfers a second inside cells, 16 connections; all on the same processors')
    report('one cell through the router', one!, 'without', direct!)
    report('two cells through the router', two!, 'one cell', one!)
  } finally {
    await router.stop()
    await Promise.all(contenders.map(stop))
    await other.stop()
  }
}

function report(what: string, own: number[], peer: string, others: number[]): void {
  record({
    what,
    value: `${median(own).toFixed(0)} /s`,
    peer: `${peer}: ${median(others).toFixed(0)} /s`,
    ratio: ratio(own, others),
  })
}

/** A load of transfers that takes turns between cells. */
function through(url: string, cells: readonly Contender[]): autocannon.Options {
  let serial = 0
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const at = serial++ % cells.length
    return {
      ...request,
      headers: {
        authorization: `Bearer ${cells[at]!.token}`,
        'content-type': 'application/json',
        'idempotency-key': `cells-${process.pid}-${++keys}`,
        cell: names[at]!,
      },
      body: JSON.stringify(transfer()),
    }
  }
  return {
    url,
    connections,
    requests: [{ method: 'POST', path: '/posting-instructions', setupRequest }],
  }
}

let keys = 0

async function startRouter(contenders: readonly Contender[], folder: string) {
  const port = String(await freePort())
  const urls = Object.fromEntries(names.map((name, at) => [name, contenders[at]!.url]))
  const child = spawn(process.execPath, [join(projectRoot, 'examples/cells/router.js')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: port, CELLS: JSON.stringify(urls), CARRY: 'off' },
  })
  for await (const line of createInterface(child.stdout)) if (line.startsWith('Routing')) break
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
