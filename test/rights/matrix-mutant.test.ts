/**
 * Mutation test: without scope checks, the access matrix must report every operation with a scope.
 */
import { expect, test, vi } from 'vitest'
import { tryMatrix } from './matrix.ts'

vi.mock('../../kernel/authorization/auth.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  checkScope: () => true,
  requireScope: () => undefined,
}))

test('reports every operation with a scope when scope checks are removed', async () => {
  const { cells, wrong, scopeless } = await tryMatrix(({ name }) => name === 'no scope')
  // Operations without a scope are queries and so have two endpoints each, GET and POST.
  expect(wrong).toHaveLength(cells - 2 * scopeless.length)
}, 120_000)
