import { connect, createServer } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { waitForDatabase } from '../../host/wait-for-database.ts'
import { freshDatabase } from '../kit/database.ts'
import { freePort } from '../kit/free-port.ts'

const wait = (databaseUrl: string, waitMs: number, lines: string[] = []) =>
  waitForDatabase({
    setting: 'DATABASE_URL',
    databaseUrl,
    waitMs,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  })

test('names the setting and the address of an absent database, without the password', async () => {
  const port = await freePort()
  const error = await wait(`postgresql://bank:hidden@127.0.0.1:${port}/bank`, 0).catch(
    (reason: Error) => reason,
  )
  expect((error as Error).message).toMatch(
    new RegExp(`^DATABASE_URL: no connection to the database 127.0.0.1:${port}/bank: .+`),
  )
  expect((error as Error).message).not.toContain('hidden')
})

test('waits for a database that becomes reachable', async () => {
  const database = await freshDatabase()
  const url = new URL(database.url)
  // The database of the tests listens on a Unix socket in this folder.
  const path = `${url.searchParams.get('host')}/.s.PGSQL.${url.port}`
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String(await freePort())
  const lines: string[] = []
  const waiting = wait(url.href, 60_000, lines)
  await expect.poll(() => lines.length, { timeout: 30_000 }).toBe(1)
  expect(lines[0]).toContain('Waiting for it')
  const relay = createServer((socket) => {
    const target = connect(path)
    for (const each of [socket, target]) each.on('error', () => undefined)
    socket.pipe(target).pipe(socket)
  }).listen(Number(url.port), '127.0.0.1')
  await waiting
  expect(lines).toHaveLength(1)
  relay.close()
  await database.drop()
})

test('does not wait for a database that rejects the connection', async () => {
  const database = await freshDatabase()
  const url = new URL(database.url)
  url.pathname = '/no_such_database'
  await expect(wait(url.href, 3_600_000)).rejects.toThrow(/DATABASE_URL.*no_such_database/)
  await database.drop()
})
