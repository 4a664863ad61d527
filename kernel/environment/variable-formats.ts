import { isIP } from 'node:net'
import { isDatabaseUrl, namesOneHost } from '../database/database-hosts.ts'
import { isLoopbackHost } from '../domain/loopback.ts'
import { isCurrency } from '../domain/money.ts'
import { FormatRegistry } from '@sinclair/typebox'

/** Splits a comma-separated list. */
export const listOf = (text: string): string[] =>
  text === '' ? [] : text.split(',').map((each) => each.trim())

export const rateLimitPattern = /^([1-9]\d{0,6}):([1-9]\d{0,6})$/

/** Whether a text is a URL with a protocol that matches `protocols`, such as `https:`. */
function isUrl(text: string, protocols: RegExp): boolean {
  return URL.canParse(text) && protocols.test(new URL(text).protocol)
}

const isHttpUrl = (text: string) => isUrl(text, /^https?:$/)

/** Whether a text is a URL without a path, the form in which browsers name the origin of a page. */
const isOrigin = (text: string) => isHttpUrl(text) && new URL(text).origin === text

function isCidrBlock(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/')
  const family = isIP(address)
  const max = family === 4 ? 32 : 128
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= max && more.length === 0
}

const networkNames = new Set(['loopback', 'linklocal', 'uniquelocal'])

/**
 * Whether a text names a trusted proxy. A block of all addresses does not, because every client
 * could then claim any address; a bare number does not, because the library would parse it as an
 * address.
 */
const isProxy = (text: string) =>
  networkNames.has(text) || isIP(text) !== 0 || (isCidrBlock(text) && !/\/0+$/.test(text))

/** Messages contain personal data, so plain HTTP is only for a provider on this machine. */
function isProviderUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLoopbackHost(hostname)
}

function isBucketUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false
  const { username, password, pathname } = new URL(text)
  const isEncoded = [username, password].every((each) => /^([^%]|%[\dA-Fa-f]{2})+$/.test(each))
  return isEncoded && pathname.length > 1
}

/** Whether the text is the URL of a bucket, or of a folder on this machine. */
function isArchiveUrl(text: string): boolean {
  return /^file:\/\/\/[^?#]+$/.test(text) ? URL.canParse(text) : isBucketUrl(text)
}

/** Returns the value of a JSON text; undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a JSON text is an object whose values all pass a check. */
function isMapOf(text: string, isValue: (value: unknown) => boolean): boolean {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every(isValue)
}

const isUrlMap = (text: string) =>
  isMapOf(text, (item) => typeof item === 'string' && isHttpUrl(item))

/** Whether a text maps names to lists of names. */
const isListMap = (text: string) =>
  isMapOf(text, (items) => Array.isArray(items) && items.every((item) => typeof item === 'string'))

/** Whether a text is the private key of an ES256 key pair, in the form that clients sign with. */
function isPrivateJwk(text: string): boolean {
  const { kty, crv, x, y, d } = (parsed(text) ?? {}) as Record<string, unknown>
  return kty === 'EC' && crv === 'P-256' && [x, y, d].every((each) => typeof each === 'string')
}

/** Whether a text is a list of headers like `name=value`, with percent-encoded values. */
const isHeaderList = (text: string) =>
  listOf(text).every((pair) => /^[\w!#$%&'*+.^`|~-]+\s*=\s*([^%,]|%[\dA-Fa-f]{2})*$/.test(pair))

const formats = {
  'header-list': isHeaderList,
  'private-jwk': isPrivateJwk,
  currency: isCurrency,
  'text-map': (text: string) => isMapOf(text, (item) => typeof item === 'string'),
  'http-url': isHttpUrl,
  origin: isOrigin,
  origins: (text: string) => listOf(text).every(isOrigin),
  'cidr-blocks': (text: string) => listOf(text).every(isCidrBlock),
  proxies: (text: string) => listOf(text).every(isProxy),
  'header-name': (text: string) => /^[A-Za-z][\w-]{0,99}$/.test(text),
  'smtp-url': (text: string) => isUrl(text, /^smtps?:$/) && new URL(text).hostname !== '',
  'nats-url': (text: string) => isUrl(text, /^(nats|tls):$/),
  'postgres-url': isDatabaseUrl,
  'postgres-server-url': (text: string) => isDatabaseUrl(text) && namesOneHost(text),
  'provider-url': isProviderUrl,
  'bucket-url': isBucketUrl,
  'archive-url': isArchiveUrl,
  'url-map': isUrlMap,
  'list-map': isListMap,
} as const satisfies Record<string, (text: string) => boolean>

export type VariableFormat = keyof typeof formats

for (const [name, isOfFormat] of Object.entries(formats)) FormatRegistry.Set(name, isOfFormat)
