/**
 * Builds the client package into `sdk/dist`: modules without dependencies, the command line, and the
 * declarations of types.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const path = (...parts) => join(root, 'sdk', ...parts)
const output = path('dist')

rmSync(output, { recursive: true, force: true })
const options = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  keepNames: true,
  minifySyntax: true,
  legalComments: 'eof',
  outdir: output,
  logLevel: 'warning',
  metafile: true,
}
const modules = await build({
  ...options,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['node:*'],
  entryPoints: [path('src/index.ts'), path('src/node.ts')],
})
const command = await build({
  ...options,
  platform: 'node',
  splitting: false,
  minify: true,
  entryPoints: [path('cli/bankgraph.ts')],
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
})
writeFileSync(path('dist/LICENSES.txt'), licenses([modules, command]))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', path('tsconfig.build.json')], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1

/** Returns the licenses of the packages whose code is in the results, as they require. */
function licenses(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const folders = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [])
  const packages = [...new Set(folders)].sort().map((folder) => {
    const name = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file))
    if (!name) throw new Error(`${folder} has no license to include.`)
    const title = folder.split('node_modules/').at(-1)
    return `${title}\n\n${readFileSync(join(root, folder, name), 'utf8').trim()}\n`
  })
  return `This package contains code of the following packages.\n\n${packages.join('\n----\n\n')}`
}
