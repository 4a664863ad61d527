import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')

test('the README lists every setting', () => {
  const names = [...read('kernel/environment/variables.ts').matchAll(/^ {2}([A-Z0-9_]+): /gm)]
  const documented = `${read('README.md')}${read('docs/rotate-keys.md')}`
  // The fault harness sets FAULT_POINT.
  const missing = names.flatMap(([, name]) =>
    documented.includes(`\`${name!}\``) || name === 'FAULT_POINT' ? [] : [name],
  )
  expect(names.length).toBeGreaterThan(40)
  expect(missing).toEqual([])
})
