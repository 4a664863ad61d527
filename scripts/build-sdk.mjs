/**
 * Builds the client package into `sdk/dist`: modules without dependencies, the command line, and the
 * declarations of types.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const path = (...parts) => join(root, 'sdk', ...parts)
const output = path('dist')

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
  write: false,
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
writeOutput([
  ...[modules, command].flatMap(({ outputFiles }) => outputFiles),
  { path: path('dist/LICENSES.txt'), contents: Buffer.from(licenses([modules, command])) },
])
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', path('tsconfig.build.json')], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1

/**
 * Writes the files that changed, each at once, and removes those of earlier builds: a program that
 * uses the package meanwhile finds complete files.
 */
function writeOutput(files) {
  mkdirSync(output, { recursive: true })
  for (const { path: file, contents } of files) {
    if (existsSync(file) && readFileSync(file).equals(contents)) continue
    writeFileSync(`${file}.${process.pid}`, contents)
    renameSync(`${file}.${process.pid}`, file)
  }
  const names = files.map((file) => basename(file.path))
  const isOld = ({ name }) => name.endsWith('.js') && !names.includes(name)
  const old = readdirSync(output, { withFileTypes: true }).filter(isOld)
  for (const { name } of old) rmSync(join(output, name))
}

/** Returns the licenses of the packages whose code is in the results, as they require. */
function licenses(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const folders = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [])
  const packages = [...new Set(folders)]
    .sort((a, b) => a.localeCompare(b))
    .map((folder) => {
      const name = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file))
      if (!name) throw new Error(`${folder} has no license to include.`)
      const title = folder.split('node_modules/').at(-1)
      return `${title}\n\n${readFileSync(join(root, folder, name), 'utf8').trim()}\n`
    })
  return `This package contains code of the following packages.\n\n${packages.join('\n----\n\n')}`
}
