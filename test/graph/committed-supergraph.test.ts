import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildSubgraphs, requireCommitted } from '../../gateway/compose.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { theGraph } from '../kit/platform.ts'

beforeAll(async () => void (await theGraph()))

test('the committed supergraph matches the subgraphs, whether or not that is remembered', async () => {
  await rm(join(projectRoot, '.cache', 'supergraph.sha256'), { force: true })
  await requireCommitted(buildSubgraphs())
  await requireCommitted(buildSubgraphs())
})

test('a match of other subgraphs is not remembered as a match of these', async () => {
  await requireCommitted(buildSubgraphs())
  const others = new Map(buildSubgraphs())
  others.delete('assist')
  await expect(requireCommitted(others)).rejects.toThrow('npm run generate')
  await expect(requireCommitted(others)).rejects.toThrow('npm run generate')
})
