/**
 * A disk that becomes slow, stands still, and is full, under load. The program answers what it cannot do
 * as retryable, says why it is not ready, and loses nothing that was acknowledged.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { healthAt, healthBecomes } from './health.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad, type Load } from './load.ts'
import { lossesOf } from './losses.ts'
import { hasPostgres, OwnDatabase } from './own-database.ts'

const hasCompiler = existsSync('/usr/bin/gcc') && process.platform === 'linux'

let folder: string
let delayFile: string
let own: OwnDatabase
let program: Program
let live: string
let load: Load

/** Every flush takes as long from now on; one that is under way ends when the time is shortened. */
const flushesTake = (ms: number) => writeFile(delayFile, `${ms}\n`)

/** Waits until this many further writes are acknowledged. */
async function writesGoOn(count: number): Promise<void> {
  const before = load.acknowledged.length
  await eventually(() => load.acknowledged.length >= before + count, 60_000)
}

describe.skipIf(!hasPostgres || !hasCompiler)('a disk under load', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bankgraph-slow-disk-'))
    delayFile = join(folder, 'delay')
    await flushesTake(0)
    const library = join(folder, 'slow-disk.so')
    const source = join(projectRoot, 'test', 'kit', 'slow-disk.c')
    execFileSync('gcc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
    execFileSync('chmod', ['-R', 'a+rX', folder])
    own = await OwnDatabase.start({ LD_PRELOAD: library, DISK_DELAY_FILE: delayFile })
    const port = await freePort()
    live = `http://127.0.0.1:${port}`
    const data = join(folder, 'data')
    const settings = { DATA_DIR: data, PORT: String(port), SANDBOX_PORT: 'off' }
    program = await startProgram([], { ...settings, DATABASE_URL: own.url })
    load = startLoad([live], await liveToken(data, live))
    await writesGoOn(100)
  }, 120_000)
  afterAll(async () => {
    if (delayFile) await flushesTake(0)
    await load?.stop()
    await program?.end()
    await own?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  test('that is slow makes writes slow, and no more', async () => {
    await flushesTake(300)
    await writesGoOn(40)
    expect((await healthAt(live, 'readyz'))[0]).toBe(200)
    await flushesTake(0)
    await writesGoOn(100)
    expect(load.surprises).toEqual([])
  })

  test('that stands still makes the process unready, until it moves again', async () => {
    await flushesTake(600_000)
    await healthBecomes(live, 503, { status: 'unready', causes: ['write-timeout'] }, 30_000)
    expect((await healthAt(live, 'livez'))[0]).toBe(200)
    await flushesTake(0)
    await healthBecomes(live, 200, { status: 'ready', causes: [] }, 30_000)
    await writesGoOn(100)
    expect(load.surprises).toEqual([])
  })

  test('that is full makes the process unready, until there is space again', async (context) => {
    if (!own.hasSmallDisk)
      return context.skip('needs a file system of its own, which only root can mount')
    const freeDisk = await own.fillDisk()
    await eventually(async () => (await healthAt(live, 'readyz'))[0] === 503, 60_000)
    expect((await healthAt(live, 'livez'))[0]).toBe(200)
    await freeDisk()
    // The server may have ended, because it could not write its log.
    await own.boot().catch(() => undefined)
    await healthBecomes(live, 200, { status: 'ready', causes: [] }, 60_000)
    await writesGoOn(100)
    expect(load.surprises).toEqual([])
  })

  test('loses nothing that was acknowledged', async () => {
    await load.stop()
    const client = await own.connect()
    const losses = await lossesOf((sql) => client.query(sql), load.acknowledged)
    await client.end()
    expect(losses).toEqual({ lost: [], gaps: 0 })
  })
})
