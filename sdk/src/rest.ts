import { keyOf } from './keys.ts'
import { operations, type Operations } from './operations.generated.ts'
import type { CallOptions, ClientOptions, ReadOptions } from './options.ts'
import { ItemList, nextTokenIn, type Page } from './pages.ts'
import { readJson, type Transport } from './transport.ts'

type Name = keyof Operations
type Values = Record<string, unknown>

/** Returns the documented operations as methods. */
export function restOperations(transport: Transport, options: ClientOptions): Operations {
  const base = options.url.replace(/\/$/, '')
  const methods = Object.entries(operations).map(([name, { method, path, list }]) => {
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!)
    const call = (...values: unknown[]) => {
      const url = base + fill(path, ids, values)
      const [input, callOptions] = values.slice(ids.length) as [Values?, CallOptions?]
      return list === null
        ? write(transport, options, { name: name as Name, method, url }, input ?? {}, callOptions)
        : readList(transport, { name: name as Name, url, list }, input ?? {}, callOptions)
    }
    return [name, call]
  })
  return Object.fromEntries(methods) as unknown as Operations
}

function fill(path: string, ids: readonly string[], values: readonly unknown[]): string {
  return path.replace(/\{(\w+)\}/g, (_, id: string) => {
    const value = values[ids.indexOf(id)]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${id} must be a string.`)
    return encodeURIComponent(value)
  })
}

async function write(
  transport: Transport,
  { keys }: ClientOptions,
  { name, method, url }: { name: Name; method: string; url: string },
  body: Values,
  options: CallOptions = {},
): Promise<unknown> {
  const idempotencyKey = await keyOf(options, keys)
  const request = { operation: name, method, url, body, idempotencyKey }
  return transport.send({ ...request, ...contextOf(options) }, readJson)
}

function readList(
  transport: Transport,
  { name, url, list }: { name: Name; url: string; list: 'array' | 'page' },
  { pageToken: firstToken, ...query }: Values,
  options: ReadOptions = {},
): ItemList<unknown> {
  const read = (pageToken: string | undefined): Promise<Page<unknown>> => {
    const pageUrl = `${url}${queryOf({ ...query, pageToken })}`
    const request = { operation: name, method: 'GET', url: pageUrl, idempotencyKey: null }
    return transport.send({ ...request, ...contextOf(options) }, async (response) =>
      pageFrom(list, await response.json(), response.headers.get('link')),
    )
  }
  return new ItemList(read, firstToken as string | undefined)
}

function pageFrom(list: 'array' | 'page', body: unknown, link: string | null): Page<unknown> {
  if (list === 'array') return { items: body as unknown[], nextPageToken: nextTokenIn(link) }
  const { items, pagination } = body as { items: unknown[]; pagination: { nextPageToken?: string } }
  return { items, nextPageToken: pagination.nextPageToken ?? null }
}

function queryOf(query: Values): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

const contextOf = ({ signal, requestId }: ReadOptions) => ({
  ...(signal && { signal }),
  ...(requestId !== undefined && { requestId }),
})
