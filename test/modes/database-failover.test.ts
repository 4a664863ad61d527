/**
 * The primary database is killed, or cut off from the network, under load, and its synchronous
 * standby is promoted. The program has both hosts in its DATABASE_URL: it finds the new primary, and
 * nothing acknowledged is lost.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { networkBetween, type Network } from '../kit/network.ts'
import { DatabasePair, hasPostgres } from './database-pair.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad } from './load.ts'
import { lossesOf } from './losses.ts'

let pair: DatabasePair
let network: Network
let program: Program | undefined
let live: string
let token: string

async function startAll(): Promise<void> {
  pair = await DatabasePair.start({ isSynchronous: true })
  const networkPort = await freePort()
  network = await networkBetween(networkPort, pair.ports.primary)
  const port = await freePort()
  live = `http://127.0.0.1:${port}`
  // The standby comes first: a program that took the first host could not write.
  const hosts = `127.0.0.1:${pair.ports.standby},127.0.0.1:${networkPort}`
  program = await startProgram([], {
    DATA_DIR: join(pair.folder, 'data'),
    PORT: String(port),
    SANDBOX_PORT: 'off',
    DATABASE_URL: `postgresql://bank@${hosts}/bank?target_session_attrs=read-write`,
  })
  token = await liveToken(join(pair.folder, 'data'), live)
}

async function stopAll(): Promise<void> {
  await program?.end()
  await network.close()
  await pair.stop()
}

describe.skipIf(!hasPostgres).each([
  ['killed', () => pair.control('primary', 'stop', '-m', 'immediate')],
  ['cut off from the network', () => Promise.resolve(network.cut())],
] as const)('a program whose primary is %s', (_, lose) => {
  beforeAll(startAll, 120_000)
  afterAll(stopAll)

  test('finds the promoted standby, and loses nothing that was acknowledged', async () => {
    const load = startLoad([live], token)
    const { acknowledged, surprises } = load
    await eventually(() => acknowledged.length > 100, 60_000)
    await lose()
    await pair.control('standby', 'promote')
    const before = acknowledged.length
    // What was under way when the primary was lost can still be acknowledged.
    await eventually(() => acknowledged.length > before + 100, 60_000)
    await load.stop()
    expect(surprises).toEqual([])
    const losses = await lossesOf((sql) => pair.query('standby', sql), acknowledged)
    expect(losses).toEqual({ lost: [], gaps: 0 })
  })
})
