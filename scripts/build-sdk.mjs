/**
 * Builds the client package into `sdk/dist`: modules without dependencies, the command line, and the
 * declarations of types.
 */
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const path = (...parts) => join(root, 'sdk', ...parts)
const output = path('dist')

rmSync(output, { recursive: true, force: true })
const options = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  keepNames: true,
  minifySyntax: true,
  legalComments: 'eof',
  outdir: output,
  logLevel: 'warning',
}
await build({
  ...options,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['node:*'],
  entryPoints: [path('src/index.ts'), path('src/node.ts')],
})
await build({
  ...options,
  platform: 'node',
  splitting: false,
  minify: true,
  entryPoints: [path('cli/bankgraph.ts')],
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
})
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', path('tsconfig.build.json')], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
