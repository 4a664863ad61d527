/** Mutation test: without ownership checks, the probe for foreign access must find faults. */
import { expect, test, vi } from 'vitest'
import { probeForeignAccess } from './bola.ts'

vi.mock('../../kernel/authorization/auth.ts', async (importOriginal) => {
  const { Problem } = await import('../../kernel/domain/problem.ts')
  return {
    ...(await importOriginal<object>()),
    maySee: () => true,
    requireVisible(_context: unknown, record: unknown, _owners: unknown, code: never, id: string) {
      if (record) return record
      throw new Problem(code, { resourceId: id })
    },
  }
})

test('reports foreign access when ownership checks are removed', async () => {
  // Row-level security would hide most of it; this test is about the checks in code.
  const { faults, changed } = await probeForeignAccess({ ROW_SECURITY: 'off' }, true)
  const entrances = new Set(faults.map((fault) => /^[\w ]+/.exec(fault)![0]))
  console.log(`${faults.length} faults in ${entrances.size} operations, ${changed.length} changed.`)
  expect(entrances.size).toBeGreaterThan(40)
  expect(changed).not.toEqual([])
}, 240_000)
