import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'
import { cruise, importGraph } from './import-graph.ts'

test('the six import rules hold', () => {
  expect(cruise('--output-type', 'err')).toMatch(/no dependency violations found/)
})

test('ARCHITECTURE.md draws the imports as they are', () => {
  const drawn = /```mermaid\n([\s\S]*?)```/.exec(
    readFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'utf8'),
  )?.[1]
  expect(drawn?.trim()).toBe(importGraph().trim())
})
