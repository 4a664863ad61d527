/** Reads of the archive end: at a deadline, after a part of a long range, and while events move. */
import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { dayMs } from '../../../kernel/domain/dates.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { requireOperableEndpoint } from '../../../subgraphs/events/commands/endpoint.ts'
import { readEvents } from '../../../subgraphs/events/store/log.ts'
import { findReplayable } from '../../../subgraphs/events/store/replay.ts'
import { archiveNext } from '../../../subgraphs/events/workers/archive-log.ts'
import { markLogRead } from '../../kit/read-log.ts'
import { aClient, type Client } from './clients.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'

const size = 10
const count = 2 * size + 3
let bank: PublishingBank
let folder: string
let client: Client
beforeAll(async () => {
  bank = await aPublishingBank()
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-archive-'))
  bank.bank.config.eventArchive = { place: folder, afterDays: 30 }
  for (let at = 1; at <= count; at++) await bank.emit(`r-${at % 4}`, { at })
  bank.clock.advance(31 * dayMs)
  await markLogRead(bank)
  for (let at = 0; at < 2; at++) expect(await archiveNext(bankContext(bank.bank), size)).toBe(size)
  client = await aClient(bank)
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await client?.dependencies.close()
  await bank.drop()
  await rm(folder, { recursive: true })
})

const context = () => ({ ...bankContext(bank.bank), ...client.options })
const late = () => ({ ...context(), envelope: { ...context().envelope, deadlineMs: 0 } })
const anyEvent = { types: null, subject: null }

test('a page of the archive ends at the deadline', async () => {
  expect(await readEvents(context(), anyEvent, 0n, 5)).toHaveLength(5)
  await expect(readEvents(late(), anyEvent, 0n, 5)).rejects.toMatchObject({ code: 'TIMEOUT' })
})

test('a page is not read from an archive that ends before the table begins', async () => {
  vi.spyOn(bank.bank.archive, 'reach').mockResolvedValue(BigInt(size))
  const page = readEvents(context(), anyEvent, 0n, 5)
  await expect(page).rejects.toMatchObject({ code: 'EVENT_ARCHIVE_UNAVAILABLE' })
  expect(await readEvents(context(), anyEvent, BigInt(2 * size), 3)).toHaveLength(3)
})

test('no segment is read for no types', async () => {
  const beforeSegment = vi.fn()
  const filter = { types: [], subject: 'thing/r-1' }
  expect(await bank.bank.archive.read(0n, 5, filter, beforeSegment)).toEqual([])
  expect(beforeSegment).not.toHaveBeenCalled()
  expect(
    await bank.bank.archive.read(0n, 5, { ...filter, types: null }, beforeSegment),
  ).toHaveLength(5)
  expect(beforeSegment).toHaveBeenCalledTimes(2)
})

const range = { eventIds: null, after: 0n, upTo: null, onlyFailed: false }
const search = async (request: object, partSize?: number, of = context()) =>
  findReplayable(
    of,
    await requireOperableEndpoint(context(), client.endpointId),
    { ...range, ...request },
    count,
    partSize,
  )
const positionsOf = ({ events }: Awaited<ReturnType<typeof search>>) =>
  events.map(({ position }) => Number(position))
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

test('a replay of a long range searches a part of it and says how far', async () => {
  const part = await search({}, 1)
  expect(positionsOf(part)).toEqual(upTo(10))
  expect(part.searchedThrough).toBe(10n)
  const rest = await search({ after: 10n }, 5)
  expect(positionsOf(rest)).toEqual(upTo(count).slice(10))
  expect(rest.searchedThrough).toBeNull()
  expect((await search({ upTo: 15n }, 4)).events).toHaveLength(15)
  await expect(search({}, 1, late())).rejects.toMatchObject({ code: 'TIMEOUT' })
})

test('a replay ends although events are archived all the time', async () => {
  const { archive } = bank.bank
  let reach = 0n
  const moving = vi.spyOn(archive, 'reach').mockImplementation(async () => (reach += 30n))
  const part = await search({ after: 20n })
  expect(part.searchedThrough).toBe(20n)
  expect(moving.mock.calls.length).toBeLessThan(30)
  const eventIds = ['evt_unknown']
  await expect(search({ eventIds })).rejects.toMatchObject({ code: 'EVENT_ARCHIVE_UNAVAILABLE' })
  const [known] = await bank.rows('select event_id from kernel.event where position = 21')
  expect((await search({ eventIds: [known!['event_id']] })).events).toHaveLength(1)
})
