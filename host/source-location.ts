import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The source maps of built files that were needed so far; null for a file without one. */
const maps = new Map<string, SourceMap | null>()

/**
 * Returns a line of a stack trace with the location in the sources, if it is in a built file with a
 * source map. Maps are read when they are needed: with `--enable-source-maps`, Node.js keeps those
 * of all packages in memory, more than 30 MB.
 */
export function withSourceLocation(frame: string): string {
  return frame.replace(/(file:\/\/\/[^\s()]+\.js):(\d+):(\d+)/, (location, url, line, column) => {
    const entry = mapOf(url as string)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return location as string
    const { originalSource, originalLine, originalColumn } = entry
    const source = fileURLToPath(new URL(originalSource, url as string))
    return `${source}:${originalLine + 1}:${originalColumn + 1}`
  })
}

function mapOf(url: string): SourceMap | null {
  const known = maps.get(url)
  if (known !== undefined) return known
  const map = readMap(url)
  maps.set(url, map)
  return map
}

function readMap(url: string): SourceMap | null {
  // Packages are not built here.
  if (url.includes('/node_modules/')) return null
  try {
    return new SourceMap(
      JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')) as SourceMapPayload,
    )
  } catch {
    return null
  }
}
