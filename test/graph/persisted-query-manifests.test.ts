/** The manifests of registered operations, which the bank reads when it starts. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPersistedQueryLists } from '../../gateway/persisted-query-list.ts'
import { projectRoot } from '../../kernel/environment/root.ts'

const home = { name: 'Home', type: 'query', body: 'query Home { me { displayName } }' }
const manifestOf = (operations: object[]) => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations,
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-manifests-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('A manifest', () => {
  const read = async (content: unknown) => {
    const file = join(folder, 'other.manifest')
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return readPersistedQueryLists([file])
  }

  test.each([
    ['that is not JSON', 'operations: []', /other\.manifest cannot be read as JSON/],
    ['of another format', { ...manifestOf([]), format: 'x' }, /not a manifest .* \/format/],
    ['of another version', { ...manifestOf([]), version: 2 }, /not a manifest .* \/version/],
    [
      'with an operation without a body',
      manifestOf([{ id: 'x', name: 'X' }]),
      /\/operations\/0\/body/,
    ],
    [
      'with the ID of another document',
      manifestOf([{ ...home, id: 'f'.repeat(64) }]),
      /the ID of the operation Home is not the SHA-256 of its body/,
    ],
  ])('%s stops the start', async (_what, content, message) => {
    await expect(read(content)).rejects.toThrow(message)
  })

  test('like the one in the guide is accepted', async () => {
    const guide = await readFile(join(projectRoot, 'docs/build-a-web-app.md'), 'utf8')
    const [, manifest] =
      /```json\n(\{\n\s*"format": "apollo-persisted-query-manifest"[\s\S]*?)```/.exec(guide)!
    const [{ id, body }] = JSON.parse(manifest!).operations
    expect((await read(manifest)).find(undefined, id)).toBe(body)
  })

  test('that does not exist stops the start, and so does an empty folder', async () => {
    expect(() => readPersistedQueryLists([join(folder, 'none')])).toThrow(/none does not exist/)
    const empty = await mkdtemp(join(folder, 'empty-'))
    expect(() => readPersistedQueryLists([empty])).toThrow('has no manifest')
  })
})
