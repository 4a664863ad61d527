import { expect } from 'vitest'

/** Expects what a query for one record answers when the caller can see none: null, without an error. */
export function expectAbsent({ data, errors }: { data: object | null; errors?: unknown }): void {
  expect(errors ?? []).toEqual([])
  expect(Object.values(data ?? {})).toEqual([null])
}
