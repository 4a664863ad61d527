import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { cruise, importGraph, type Cruise } from './import-graph.ts'

let imports: Cruise
beforeAll(() => {
  imports = cruise()
}, 120_000)

test('the import rules hold', () => {
  expect(imports.modules.length).toBeGreaterThan(500)
  expect(imports.summary.violations).toEqual([])
})

test('ARCHITECTURE.md shows the actual import graph', () => {
  const drawn = /```mermaid\n([\s\S]*?)```/.exec(
    readFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'utf8'),
  )?.[1]
  expect(drawn?.trim()).toBe(importGraph(imports).trim())
})
