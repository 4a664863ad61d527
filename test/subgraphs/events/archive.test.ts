/** Old events leave the database, and everybody who reads them still finds them. */
import 'reflect-metadata'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs } from '../../../kernel/domain/dates.ts'
import { declareEvents } from '../../../kernel/events/events.ts'
import { verifyArchive } from '../../../kernel/events/verify-archive.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { declaredConsumers, retainEvents } from '../../../kernel/writing/consumer.ts'
import { listAuditEntries } from '../../../subgraphs/operations/store/audit.ts'
import { claimDeliveries } from '../../../subgraphs/events/store/leased-delivery.ts'
import { archiveNext } from '../../../subgraphs/events/workers/archive-log.ts'
import { markRead } from '../../kit/read-log.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { aClient, type Client } from './clients.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'

declareEvents({ 'tests.thing.kept': 'Something happened that is read by its subject.' })
retainEvents(['tests.thing.kept'])

const size = 10
const secret = 'Mrs. Lovelace moved to Ockham'
let bank: PublishingBank
let folder: string
let client: Client
let before: any[]
let trailBefore: unknown[]
beforeAll(async () => {
  bank = await aPublishingBank()
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-archive-'))
  bank.bank.config.eventArchive = { place: folder, afterDays: 30 }
  for (let at = 0; at < 2 * size + 3; at++) {
    const data = at === 4 ? { reason: secret, nested: [{ at }] } : { at, text: '„ä‘', reason: null }
    const type = at === 6 ? 'tests.thing.kept' : undefined
    await bank.emit(`a-${at % 4}`, data, type, at % 5 === 0 ? ['pty_ada', 'pty_grace'] : [])
  }
  before = await feed({})
  trailBefore = await auditTrail()
})
afterAll(async () => {
  await client?.dependencies.close()
  await bank.drop()
  await rm(folder, { recursive: true })
})

const archive = () => archiveNext(bankContext(bank.bank), size)
/** Another process, which has read no event yet. */
function another() {
  const process = bank.another()
  process.bank.config.eventArchive = bank.bank.config.eventArchive
  return process
}
const positionsInTable = async () =>
  (await bank.rows('select position::int as at from kernel.event order by 1')).map(({ at }) => at)

/** All pages of the feed, of three events each. */
async function feed(filter: object, options = {}): Promise<any[]> {
  const nodes = []
  for (let after = '0'; ;) {
    const { data, errors } = await bank.execute(
      `query ($types: [String!], $subject: String, $after: String) {
        businessEvents(types: $types, subject: $subject, after: $after, first: 3) {
          nodes { eventId type subjectId time position sequence data correlationId actor isArchived }
          pageInfo { hasNextPage endCursor } } }`,
      { ...filter, after },
      options,
    )
    if (errors.length > 0) throw new Error(JSON.stringify(errors))
    const { nodes: page, pageInfo } = data.businessEvents
    nodes.push(...page)
    if (!pageInfo.hasNextPage) return nodes
    after = pageInfo.endCursor
  }
}
/** The audit trail of a record in pages of two entries, of which one event has text about a party. */
async function auditTrail() {
  const entries: Awaited<ReturnType<typeof listAuditEntries>> = []
  for (;;) {
    const after = entries.at(-1)?.sequence ?? 0
    const page = await listAuditEntries(bankContext(bank.bank), 'thing/a-0', after, 2)
    if (page.length === 0) return entries
    entries.push(...page)
  }
}
const withoutPlace = (events: any[]) => events.map(({ isArchived: _, ...event }) => event)
const objects = async () =>
  (await readdir(join(folder, 'live'))).filter((name) => name.endsWith('.parquet')).sort()

test('events stay while they are young, or while a consumer has not read them', async () => {
  expect(await archive()).toBe(0)
  bank.clock.advance(31 * dayMs)
  expect(await archive()).toBe(0)
  // Every loaded part of the bank counts, whichever test file loaded it.
  const consumers = declaredConsumers()
  expect(consumers).toEqual(expect.arrayContaining(['ledger-checkpoints', 'general-ledger']))
  for (const name of consumers) {
    expect(await archive()).toBe(0)
    await markRead(bank, name)
  }
  await bank.rows("update kernel.consumer set position = 7 where name = 'ledger-checkpoints'")
  expect(await archive()).toBe(0)
  await markRead(bank, 'ledger-checkpoints')
  expect(await positionsInTable()).toHaveLength(before.length)
})

describe('After two segments are archived', () => {
  beforeAll(async () => {
    expect(await archive()).toBe(size)
    expect(await archive()).toBe(size)
    expect(await archive()).toBe(0)
    client = await aClient(bank)
  })

  test('only rows that are needed stay in the database', async () => {
    const inTable = await positionsInTable()
    expect(inTable.filter((position) => position <= 2 * size)).toEqual([5, 7])
    expect(inTable.slice(0, 3)).toEqual([5, 7, 2 * size + 1])
    expect(await objects()).toHaveLength(2)
  })

  test('the feed has every event as before, and says where it was read', async () => {
    const after = await feed({ types: ['tests.*'] })
    expect(withoutPlace(after)).toEqual(withoutPlace(before))
    const archived = after.filter(({ isArchived }) => isArchived).map(({ position }) => +position)
    expect(archived).toEqual(
      Array.from({ length: 2 * size }, (_, at) => at + 1).filter((at) => at !== 5 && at !== 7),
    )
  })

  test.each([
    ['of one type', { types: ['tests.thing.kept'] }, (event: any) => event.type.endsWith('kept')],
    ['of a record', { subject: 'thing/a-1' }, (event: any) => event.subjectId === 'thing/a-1'],
    ['of a type that is not there', { types: ['tests.thing.ended'] }, () => false],
  ])('the feed %s has every event as before', async (_, filter, isWanted) => {
    expect(withoutPlace(await feed(filter))).toEqual(withoutPlace(before.filter(isWanted)))
  })

  test('a party reads its archived events, and no others', async () => {
    // Customers do not learn who at the bank acted.
    const own = before.filter((_, at) => at % 5 === 0).map((event) => ({ ...event, actor: null }))
    const ada = { caller: aCaller({ partyId: 'pty_ada' }) }
    expect(withoutPlace(await feed({}, ada))).toEqual(withoutPlace(own))
    expect(await feed({}, { caller: aCaller({ partyId: 'pty_other' }) })).toEqual([])
    const query = `query ($id: ID!) { businessEvent(eventId: $id) { eventId isArchived data } }`
    const read = async (id: string) => (await bank.execute(query, { id }, ada)).data.businessEvent
    expect(await read(before[0].eventId)).toEqual({
      eventId: before[0].eventId,
      isArchived: true,
      data: before[0].data,
    })
    expect(await read(before[1].eventId)).toBeNull()
  })

  test('the audit trail of a record has every change as before', async () => {
    expect(trailBefore).toHaveLength(6)
    expect(await auditTrail()).toEqual(trailBefore)
  })

  test('a process that resumes a subscription reads every event once, over the border', async () => {
    const { events: log } = another().bank
    await log.start()
    const seen: number[] = []
    for (let batch; (batch = await log.after(log.cursorAt(BigInt(seen.at(-1) ?? 0)))).length > 0;) {
      seen.push(...batch.map(({ position }) => Number(position)))
      if (seen.length >= before.length) break
    }
    expect(seen.slice(0, before.length)).toEqual(before.map(({ position }) => Number(position)))
    await log.stop()
  })

  test('the next event of an archived record continues its sequence', async () => {
    await bank.emit('a-2')
    const events = await feed({ subject: 'thing/a-2' })
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('no object contains text about a party', async () => {
    const files = await readdir(join(folder, 'live'))
    for (const name of files) {
      expect((await readFile(join(folder, 'live', name))).includes('Lovelace')).toBe(false)
    }
    const [erased] = await bank.rows(
      `update kernel.event set data = kernel.redacted(data::jsonb, '{reason}')::json
       where data::text like '%Lovelace%' returning position`,
    )
    expect(erased!['position']).toBe('5')
    expect(JSON.stringify(await feed({}))).not.toContain('Lovelace')
    await bank.rows('update kernel.event set data = $1 where position = 5', [before[4].data])
  })

  test('webhooks replay archived events by id and by range, with their data', async () => {
    const replay = async (choice: object) =>
      (
        await client.does('replayWebhookDeliveries', {
          input: { endpointId: client.endpointId, ...choice },
        })
      ).data.answer
    await client.settled()
    client.dependencies.got.length = 0
    expect((await replay({ eventIds: [before[1].eventId] })).planned).toBe(1)
    await client.settled()
    const [{ event }] = client.dependencies.got as [any]
    expect(event).toMatchObject({ id: before[1].eventId, data: before[1].data })
    expect((await replay({ range: { after: '3', upTo: '12' } })).planned).toBe(9)
    await client.settled()
    const replayed = client.dependencies.got.slice(1).map(({ event }) => event.id)
    const wanted = before.slice(3, 12).map(({ eventId }) => eventId)
    expect(new Set(replayed)).toEqual(new Set(wanted))
    expect(replayed).toHaveLength(wanted.length)
  })

  test('the verification compares every object and every hash', async () => {
    const verify = () => verifyArchive(bank.bank.pool, bank.bank.archive.store!)
    const intact = await verify()
    expect(intact).toMatchObject({ segments: 2, events: 2 * size, findings: [] })
    await bank.rows(
      'update kernel.event_segment set previous_sha256 = sha256 where first_position = 1',
    )
    expect((await verify()).findings).toEqual([expect.stringContaining('segment before differs')])
    await bank.rows(
      "update kernel.event_segment set previous_sha256 = repeat('0', 64) where first_position = 1",
    )
    expect((await verify()).findings).toEqual([])
  })

  test('a damaged or missing object is an error that a client may repeat, and never a gap', async () => {
    const [first] = await objects()
    const path = join(folder, 'live', first!)
    const bytes = await readFile(path)
    const { bank: other, execute } = another()
    await other.events.start()
    const page = () => execute('{ businessEvents(first: 3) { nodes { position } } }')
    const damaged = Buffer.from(bytes)
    damaged[100]! ^= 1
    for (const makeUnreadable of [() => writeFile(path, damaged), () => rm(path)]) {
      await makeUnreadable()
      const { code, errors } = await page()
      expect(code).toBe('EVENT_ARCHIVE_UNAVAILABLE')
      expect(errors[0]!.extensions!['retryable']).toBe(true)
      await expect(other.events.after(other.events.cursorAt(0n))).rejects.toThrow('archive')
      expect((await verifyArchive(other.pool, other.archive.store!)).findings).toHaveLength(1)
    }
    await writeFile(path, bytes)
    expect((await page()).data.businessEvents.nodes).toHaveLength(3)
    await other.events.stop()
  })

  test('a damaged object delays its own deliveries, and no others', async () => {
    const path = join(folder, 'live', (await objects())[0]!)
    const bytes = await readFile(path)
    const second = await aClient(bank)
    const endpoints = [client.endpointId, second.endpointId]
    // Only this test's process, whose clock is ahead, finds them due.
    const dueAt = new Date(bank.bank.now().getTime() + dayMs)
    const ids = [before[1].eventId, before[2 * size - 1].eventId]
    for (const [at, eventId] of ids.entries()) {
      await bank.rows(dueSql, [`dlv_${at}`, endpoints[at], -1 - at, eventId, dueAt])
    }
    await writeFile(path, 'damaged')
    const context = { ...bankContext(another().bank), now: () => dueAt }
    const claimed = await claimDeliveries(context, 'lease', 10)
    expect(claimed.map(({ eventId, data }) => ({ eventId, data }))).toEqual([
      { eventId: ids[1], data: before[2 * size - 1].data },
    ])
    const postponedSql = 'select 1 from events.delivery where next_at > $1 and lease_id is null'
    expect(await bank.rows(postponedSql, [dueAt])).toHaveLength(1)
    await writeFile(path, bytes)
    await bank.rows("delete from events.delivery where delivery_id in ('dlv_0', 'dlv_1')")
    await second.dependencies.close()
  })
  const dueSql = `insert into events.delivery (delivery_id, endpoint_id, position, event_id, event_type,
      subject, subscription_ids, is_full, status, attempts, step, next_at, created_at, updated_at)
    values ($1, $2, $3, $4, 'tests.thing.happened', 'thing/' || $1, '{}', true, 'pending', 0, 0, $5, $5, $5)`
})
