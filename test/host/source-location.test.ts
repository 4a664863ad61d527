import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { createLog } from '../../host/log.ts'

test('logs the locations of an error in the sources of a built program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bankgraph-map-'))
  const source = join(folder, 'failing.ts')
  const built = join(folder, 'out', 'failing.js')
  await writeFile(
    source,
    'interface Unused { a: 1 }\n\nexport function fail(): Error {\n  return new Error("x")\n}\n',
  )
  await build({
    entryPoints: [source],
    outfile: built,
    sourcemap: true,
    format: 'esm',
    minify: true,
  })
  const stack = await framesOf(built)
  expect(stack.some((line) => line.includes(`${source}:4:10`))).toBe(true)
  // A file without a map, such as this one, stays as it is.
  expect(stack.every((line) => /:\d+:\d+\)?$/.test(line) || line.includes('native'))).toBe(true)
  await rm(folder, { recursive: true })
})

async function framesOf(built: string): Promise<string[]> {
  const script = `import { fail } from ${JSON.stringify(pathToFileURL(built).href)}\nconsole.log(JSON.stringify(fail().stack))`
  const { execFileSync } = await import('node:child_process')
  const stack = execFileSync(process.execPath, ['--input-type=module', '--eval', script]).toString()
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  log.error(
    { error: Object.assign(new Error('x'), { stack: JSON.parse(stack) as string }) },
    'failed',
  )
  return (JSON.parse(lines[0]!) as { error: { stack: string[] } }).error.stack
}
