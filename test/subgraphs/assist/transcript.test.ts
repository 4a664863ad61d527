import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argumentFault } from '../../../subgraphs/assist/domain/tool.ts'
import { argumentsHashOf } from '../../../subgraphs/assist/conversation/hashes.ts'
import { firstBadLine, linesOf, noHash } from '../../../subgraphs/assist/conversation/transcript.ts'

const at = new Date('2026-03-02T09:00:00Z')
const start = { sessionId: 'ses_1', transcriptLength: 0, transcriptHash: noHash }
const written = (count: number) => {
  const steps = Array.from({ length: count }, (_, n) => ({ kind: 'message', body: { n } }) as const)
  const lines = linesOf(start, steps, at)
  return { lines, tail: { ...start, transcriptLength: count, transcriptHash: lines.at(-1)!.hash } }
}

test('verifies a transcript written in several parts', () => {
  const { lines, tail } = written(3)
  const more = linesOf(tail, [{ kind: 'ended', body: {} }], at)
  expect(firstBadLine(lines, tail)).toBeNull()
  const complete = { ...tail, transcriptLength: 4, transcriptHash: more[0]!.hash }
  expect(firstBadLine([...lines, ...more], complete)).toBeNull()
})

test('names the first line that was changed, removed or cut off', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(), fc.nat(3), (count, pick, how) => {
      const { lines, tail } = written(count)
      const place = pick % count
      const changed = [...lines]
      if (how === 0) changed[place] = { ...changed[place]!, body: '{"n":-1}' }
      if (how === 1) changed.splice(place, 1)
      if (how === 2) changed.length = place
      if (how === 3) changed[place] = { ...changed[place]!, at: new Date(0) }
      expect(firstBadLine(changed, tail)).toBe(place + 1)
    }),
  )
})

test('hashes the name and the values of arguments, regardless of their order', () => {
  const hash = argumentsHashOf('transfer', { a: '1', b: '2' })
  expect(argumentsHashOf('transfer', { b: '2', a: '1' })).toBe(hash)
  for (const [name, args] of [
    ['transfer', { a: '1', b: '3' }],
    ['transfer', { a: '1' }],
    ['other', { a: '1', b: '2' }],
  ] as const) {
    expect(argumentsHashOf(name, args)).not.toBe(hash)
  }
})

test.each([
  [{}, 'missing'],
  [{ arrangementId: 7 }, 'of type string'],
  [{ arrangementId: 'arr_1', more: 'x' }, 'no argument'],
  [{ arrangementId: "x' or 1=1" }, 'does not match'],
  [{ arrangementId: 'arr_1', __proto__x: 'y' }, 'no argument'],
])('rejects the tool arguments %j', (args, fault) => {
  expect(argumentFault('get_balance', args)).toContain(fault)
  expect(argumentFault('get_balance', { arrangementId: 'arr_1' })).toBeNull()
})
