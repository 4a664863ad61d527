import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Turns, type Turn } from '../../../kernel/writing/turns.ts'

const modes = ['shared', 'exclusive'] as const

test('work with different keys never waits', () => {
  const turns = new Turns()
  expect(turns.take(['a', 'b'], 'exclusive').ready).toBe(null)
  expect(turns.take(['c'], 'exclusive').ready).toBe(null)
})

test('shared work runs concurrently; exclusive work waits for it and blocks later work', async () => {
  const turns = new Turns()
  const [one, two] = [turns.take(['a'], 'shared'), turns.take(['a'], 'shared')]
  const alone = turns.take(['a'], 'exclusive')
  const later = turns.take(['a'], 'shared')
  expect([one.ready, two.ready]).toEqual([null, null])
  one.end()
  expect(alone.ready).not.toBe(null)
  two.end()
  await alone.ready
  expect(later.ready).not.toBe(null)
  alone.end()
  await later.ready
  later.end()
  expect(turns.size).toBe(0)
})

test('ending a turn twice does not release the next one early', () => {
  const turns = new Turns()
  const first = turns.take(['a'], 'exclusive')
  const second = turns.take(['a'], 'exclusive')
  first.end()
  first.end()
  expect(second.ready).toBe(null)
  expect(turns.take(['a'], 'exclusive').ready).not.toBe(null)
})

test('for any work: exclusive turns run alone and in order, and no state remains', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
          mode: fc.constantFrom(...modes),
          ticks: fc.nat(3),
        }),
        { maxLength: 30 },
      ),
      async (work) => {
        const turns = new Turns()
        const holders = new Map<string, { exclusive: number; shared: number }>()
        const order = new Map<string, number[]>()
        const run = async (at: number, turn: Turn) => {
          if (turn.ready) await turn.ready
          const { keys, mode, ticks } = work[at]!
          for (const key of keys) {
            const holder = holders.get(key) ?? { exclusive: 0, shared: 0 }
            holder[mode]++
            holders.set(key, holder)
            expect(holder.exclusive === 0 || holder.exclusive + holder.shared === 1).toBe(true)
            if (mode === 'exclusive') order.set(key, [...(order.get(key) ?? []), at])
          }
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
          for (const key of keys) holders.get(key)![mode]--
          turn.end()
        }
        await Promise.all(work.map(({ keys, mode }, at) => run(at, turns.take(keys, mode))))
        expect(turns.size).toBe(0)
        for (const done of order.values()) expect(done).toEqual(done.toSorted((a, b) => a - b))
      },
    ),
  ))
