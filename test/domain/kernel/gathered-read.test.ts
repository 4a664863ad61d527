import { expect, test } from 'vitest'
import { batchedRead } from '../../../kernel/database/gathered-read.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'

const bank = {} as Bank

/** A read that records its batches, and returns each key in capital letters when `release` is called. */
function recorded(fail = false) {
  const batches: (readonly string[])[] = []
  const waiting: (() => void)[] = []
  const read = batchedRead<string, string>(
    (key) => key,
    async (_, keys) => {
      batches.push(keys)
      await new Promise<void>((resolve) => waiting.push(resolve))
      if (fail) throw new Error('The database is away.')
      return keys.map((key) => key.toUpperCase())
    },
  )
  const release = async () => {
    await new Promise(setImmediate)
    for (const resolve of waiting.splice(0)) resolve()
    await new Promise(setImmediate)
  }
  return { read, batches, release }
}

test('lists and single keys of one turn share a read, in which each key is once', async () => {
  const { read, batches, release } = recorded()
  const found = Promise.all([
    read.many(bank, ['b', 'a', 'b']),
    read(bank, 'a'),
    read.many(bank, ['c']),
    read.many(bank, []),
  ])
  await release()
  expect(await found).toEqual([['B', 'A', 'B'], 'A', ['C'], []])
  expect(batches).toEqual([['b', 'a', 'c']])
})

test('while two reads run, further keys wait for the next one, also those being read', async () => {
  const { read, batches, release } = recorded()
  const first = read(bank, 'a')
  await Promise.resolve()
  const second = read(bank, 'b')
  await Promise.resolve()
  const later = [read(bank, 'a'), read.many(bank, ['c', 'b'])]
  await Promise.resolve()
  expect(batches).toEqual([['a'], ['b']])
  await release()
  expect(await Promise.all([first, second])).toEqual(['A', 'B'])
  await release()
  expect(await Promise.all(later)).toEqual(['A', ['C', 'B']])
  expect(batches).toEqual([['a'], ['b'], ['a', 'c', 'b']])
})

test('a failed read rejects all of its requests, and the next one works', async () => {
  const { read, release } = recorded(true)
  const outcomes = Promise.allSettled([read(bank, 'a'), read.many(bank, ['a', 'b'])])
  await release()
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: /away/ } })
})

test('more keys than a batch takes are divided among reads', async () => {
  const { read, batches, release } = recorded()
  const keys = Array.from({ length: 1100 }, (_, index) => `k${index}`)
  const found = Promise.all(keys.map((key) => read(bank, key)))
  for (let turn = 0; turn < 3; turn++) await release()
  expect(await found).toEqual(keys.map((key) => key.toUpperCase()))
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 100])
})
