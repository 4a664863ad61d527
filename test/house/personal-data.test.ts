import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { personalDataPage, personalDataPath } from '../../scripts/personal-data-page.ts'

test('docs/personal-data.md is the current register (npm run draw)', async () => {
  const path = join(projectRoot, personalDataPath)
  const options = await resolveConfig(path)
  const page = await format(personalDataPage(), { ...options, parser: 'markdown' })
  expect(readFileSync(path, 'utf8')).toBe(page)
  expect(page).toMatch(/\| `parties\.party` +\| `party_id` +\| given_name \(identity\)/)
})
