/** The matrix is worth something only if it notices when the scope is not checked. */
import { expect, test, vi } from 'vitest'
import { tryMatrix } from './matrix.ts'

vi.mock('../../subgraphs/_kernel/auth.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  checkScope: () => true,
  requireScope: () => undefined,
}))

test('without the check of the scope every operation with one is found', async () => {
  const { cells, wrong, scopeless } = await tryMatrix(({ name }) => name === 'no scope')
  // The ones without a scope have two doors, being queries.
  expect(wrong).toHaveLength(cells - 2 * scopeless.length)
}, 120_000)
