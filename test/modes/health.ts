import { expect } from 'vitest'
import { eventually } from '../kit/eventually.ts'

/** What a process reports about itself at an address: the status code and the body. */
export async function healthAt(
  live: string,
  path: 'livez' | 'readyz',
): Promise<[number, Record<string, unknown>]> {
  const response = await fetch(`${live}/${path}`)
  return [response.status, (await response.json()) as Record<string, unknown>]
}

/** Waits until a process reports this state. */
export async function healthBecomes(
  live: string,
  status: number,
  expected: Record<string, unknown>,
  withinMs = 15_000,
): Promise<void> {
  let seen: [number, Record<string, unknown>] | undefined
  const isAsExpected = async () => {
    seen = await healthAt(live, 'readyz')
    return (
      seen[0] === status &&
      Object.entries(expected).every(
        ([name, value]) => JSON.stringify(seen![1][name]) === JSON.stringify(value),
      )
    )
  }
  await eventually(isAsExpected, withinMs).catch(() => expect(seen).toEqual([status, expected]))
}
