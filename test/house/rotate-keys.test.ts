import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rotations } from '../../host/rotate-key.ts'
import { projectRoot } from '../../kernel/environment/root.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const rows = read('docs/rotate-keys.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
const named = rows.flatMap((row) =>
  [...row.split('|')[1]!.matchAll(/`([\w]+)`/g)].map(([, it]) => it),
)

test('the page about rotation has every key in the file of secrets and every secret setting', () => {
  const variables = read('kernel/environment/variables.ts')
  const settings = [
    ...variables.matchAll(/^ {2}([A-Z0-9_]+): ([\s\S]*?)(?=^ {2}[A-Z0-9_]+: |^\}\))/gm),
  ]
  const secretSettings = settings
    .filter(([, name, value]) => {
      const isNamedSecret = /SECRET$|PIN$|API_KEY$/.test(name!)
      return isNamedSecret || /isSecret: true|^(database|replica),$/m.test(value!)
    })
    .map(([, name]) => name)
  expect(secretSettings).toContain('DATABASE_URL')
  expect(secretSettings.length).toBeGreaterThan(6)
  expect(new Set(named)).toEqual(new Set([...Object.keys(rotations), ...secretSettings]))
})
