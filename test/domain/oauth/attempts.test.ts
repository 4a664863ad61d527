import { expect, test } from 'vitest'
import { Attempts } from '../../../oauth/attempts.ts'

const minutes = (count: number) => count * 60_000

/** How many of so many tries at once, none of which is known yet, may look at the password. */
function begun(attempts: Attempts, count: number, name: (at: number) => string): number {
  return Array.from({ length: count }, (_, at) => attempts.begin(name(at), 'here')).filter(Boolean)
    .length
}

test('guesses at one name are ten, however many come at the same time', () => {
  const attempts = new Attempts(() => 0)
  expect(begun(attempts, 50, () => 'ada')).toBe(10)
  expect(attempts.begin('ada', 'elsewhere')).toBe(false)
  expect(attempts.begin('grace', 'here')).toBe(true)
})

test('guesses from one address are a hundred, whatever the names', () => {
  const attempts = new Attempts(() => 0)
  expect(begun(attempts, 150, (at) => `name-${at}`)).toBe(100)
  expect(attempts.begin('grace', 'elsewhere')).toBe(true)
})

test('who is let in has not failed, and leaves the failures of others at the address', () => {
  const attempts = new Attempts(() => 0)
  expect(begun(attempts, 99, (at) => `name-${at}`)).toBe(99)
  for (let time = 0; time < 20; time++) {
    expect(attempts.begin('ada', 'here')).toBe(true)
    attempts.succeeded('ada', 'here')
  }
  expect(begun(attempts, 2, () => 'grace')).toBe(1)
})

test('ten minutes after the last try it may be tried again', () => {
  let now = 0
  const attempts = new Attempts(() => now)
  begun(attempts, 10, () => 'ada')
  now = minutes(9.9)
  expect(attempts.begin('ada', 'here')).toBe(false)
  now = minutes(10)
  expect(begun(attempts, 11, () => 'ada')).toBe(10)
})
