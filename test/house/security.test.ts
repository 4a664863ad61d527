import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

const page = readFileSync(join(projectRoot, 'docs/security.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('|'))

test('every test that the security page names exists', () => {
  const named = rows.flatMap((row) => [...row.matchAll(/`(test\/[^`]+)`(?:: ([^|]+?))? +\|/g)])
  const missing = named.filter(([, path, name]) => {
    const file = join(projectRoot, path!)
    if (!existsSync(file)) return true
    return name !== undefined && !readFileSync(file, 'utf8').includes(name)
  })
  expect(missing.map(([text]) => text)).toEqual([])
  expect(named.length).toBeGreaterThan(50)
})

test('every file that the security page names exists', () => {
  const paths = rows.flatMap((row) =>
    [...row.matchAll(/`((?:oauth|kernel|gateway|subgraphs)\/[^`]*)`/g)].map(([, path]) => path!),
  )
  expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
  expect(paths.length).toBeGreaterThan(30)
})
