import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

interface Modules {
  getModuleInfo(id: string): { code: string | null; importedIds: readonly string[] } | null
}

/** The home page is part of it, because most people begin there. */
const firstEntries = ['app/start.tsx', 'areas/home/home-page.tsx'].map((path) =>
  join(import.meta.dirname, 'src', path),
)

let firstModules: ReadonlySet<string> | null = null

/**
 * Everything that the console needs before its first page is one file: a browser loads one file faster
 * than fifty, and it compresses better. Other modules are divided by the pages that need them.
 */
function nameOfFirstChunk(id: string, modules: Modules): string | null {
  firstModules ??= importedBy(firstEntries, modules)
  return firstModules.has(id) ? 'first' : null
}

/** Returns modules with all modules that they need. */
function importedBy(entries: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(entries)
  for (const id of found) {
    const { code, importedIds } = modules.getModuleInfo(id) ?? { code: '', importedIds: [] }
    for (const each of importedIds) {
      const names = indexPattern.test(each) ? namesImportedFrom(each, code ?? '') : null
      const needed = names ? membersOf(each, names, modules) : [each]
      for (const one of needed) found.add(one)
    }
  }
  return found
}

/** The modules that only pass on all others of a package, of which most pages need a few. */
const indexPattern = /(@mantine\/(?:core|hooks))\/esm\/index\.mjs$/

/** Returns the names that a module imports from an index, as `Button` from `@mantine/core`. */
function namesImportedFrom(index: string, code: string): string[] {
  const [, packageName] = indexPattern.exec(index)!
  const imports = code.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)
  return [...imports]
    .filter(([, , from]) => from === packageName)
    .flatMap(([, list]) => list!.split(',').map((name) => name.trim().split(/\s/)[0]!))
    .filter(Boolean)
}

/** Returns the modules that declare names of an index. Throws if a name is not part of it. */
function membersOf(index: string, names: readonly string[], modules: Modules): string[] {
  const { code, importedIds } = modules.getModuleInfo(index) ?? { code: '', importedIds: [] }
  const lines = [...(code ?? '').matchAll(/import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)]
  return names.flatMap((name) => {
    const [, , from] = lines.find(([, list]) => list!.split(/[\s,]+/).includes(name)) ?? []
    if (!from) throw new Error(`${index} does not import ${name}.`)
    if (from.startsWith('.')) return [join(dirname(index), from)]
    return importedIds.filter((id) => id.includes(`/node_modules/${from}/`))
  })
}

/**
 * Builds the console into `dist/console`, from which the gateway serves it at `/console`. The names of
 * the files contain a hash of their content, and each file is stored compressed as well.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // The gateway replaces it with the nonce of the response.
  html: { cspNonce: 'CSP-NONCE' },
  plugins: [
    react(),
    compression({
      algorithms: ['gzip', 'brotliCompress'],
      exclude: [/\.html$/, /\.map$/],
      threshold: 1024,
    }),
  ],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // The first browsers with `light-dark()`, all from early 2024.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: nameOfFirstChunk, debugName: 'first' }] } },
    },
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
})
