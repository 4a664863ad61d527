// `npm run token` with unknown options.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

const script = join(projectRoot, 'scripts/token.mjs')

test.each([
  [['--help'], /^Unknown option '--help'.*\nnpm run --silent token -- \[--env/],
  [['--env', 'nowhere'], /^--env must be sandbox or live\.\n$/],
])('rejects %j with an explanation on stderr', async (options, described) => {
  const request = promisify(execFile)(process.execPath, [script, ...options])
  await expect(request).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(described),
  })
})
