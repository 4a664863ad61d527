/** Two processes archive the event log at the same time, and meet at every step. */
import 'reflect-metadata'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { verifyArchive } from '../../../kernel/events/verify-archive.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { archiveNext } from '../../../subgraphs/events/workers/archive-log.ts'
import { markLogRead } from '../../kit/read-log.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'

const size = 5
const steps = 9
let bank: PublishingBank
let folder: string
beforeAll(async () => {
  bank = await aPublishingBank()
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-archive-'))
  bank.bank.config.eventArchive = { place: folder, afterDays: 30 }
  for (let at = 1; at <= 2 * size * steps; at++) await bank.emit(`r-${at % 4}`, { at })
  bank.clock.advance(31 * dayMs)
  await markLogRead(bank)
})
afterAll(async () => {
  await bank.drop()
  await rm(folder, { recursive: true })
})

/** A process that runs `meanwhile` after its query number `step`. */
function pausedAfter(step: number, meanwhile: () => Promise<unknown>): Context {
  const context = bankContext(bank.bank)
  let queries = 0
  const query = async (...parameters: [pg.QueryConfig]) => {
    const result = await bank.bank.pool.query(...parameters)
    if (++queries === step) await meanwhile()
    return result
  }
  return { ...context, bank: { ...bank.bank, pool: { query } as unknown as pg.Pool } }
}

test('a process whose range another process archives between two queries goes on', async () => {
  let wereMet = 0
  for (let step = 1; step <= steps; step++) {
    await archiveNext(
      pausedAfter(step, async () => {
        wereMet++
        expect(await archiveNext(bankContext(bank.bank), size)).toBe(size)
      }),
      size,
    )
  }
  expect(wereMet).toBeGreaterThan(5)
  const { segments, findings } = await verifyArchive(bank.bank.pool, bank.bank.archive.store!)
  expect(findings).toEqual([])
  const objects = (await readdir(join(folder, 'live'))).filter((name) => name.endsWith('parquet'))
  expect(objects).toHaveLength(segments)
})
