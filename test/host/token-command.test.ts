// `npm run token`, asked for what it does not know.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'

const script = join(projectRoot, 'scripts/token.mjs')

test.each([
  [['--help'], /^Unknown option '--help'.*\nnpm run --silent token -- \[--env/],
  [['--env', 'nowhere'], /^--env is sandbox or live\.\n$/],
])('%j says how it is asked', async (options, said) => {
  const asked = promisify(execFile)(process.execPath, [script, ...options])
  await expect(asked).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(said),
  })
})
