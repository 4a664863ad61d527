import { fileURLToPath } from 'node:url'
import type { Variables } from './variables.ts'

/** An HTTP service that sends messages for the bank. */
export interface MessageProviderConfig {
  url: string
  /** The secret that signs requests, in the form of Standard Webhooks: `whsec_` and base64. */
  secret: string
}

/** A bucket in Amazon S3 or a store with a compatible API. */
export interface BucketConfig {
  /** The URL of the bucket, such as `https://s3.eu-central-1.amazonaws.com/documents`. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** A language model behind an API that is compatible with OpenAI's chat completions. */
export interface AssistModelConfig {
  baseUrl: string
  apiKey: string
  model: string
}

/** The archive of the event log. */
export interface EventArchiveConfig {
  /** The bucket, or the path of the folder. */
  place: BucketConfig | string
  /** After how many days events are moved to the archive; null if it is only read. */
  afterDays: number | null
}

/**
 * Returns the archive of the event log; null if there is none. Throws an Error if events are to be
 * archived and there is no place for them.
 */
export function eventArchive(variables: Variables): EventArchiveConfig | null {
  const { EVENT_ARCHIVE_URL: text, EVENT_ARCHIVE_AFTER_DAYS: afterDays = null } = variables
  if (text) {
    const url = new URL(text)
    return { place: url.protocol === 'file:' ? fileURLToPath(url) : bucket(url), afterDays }
  }
  if (afterDays === null) return null
  throw new Error('EVENT_ARCHIVE_AFTER_DAYS needs EVENT_ARCHIVE_URL.')
}

/** Parses the URL of a bucket. */
export function bucket(url: URL): BucketConfig {
  return {
    endpoint: url.origin + url.pathname,
    region: url.searchParams.get('region') ?? 'auto',
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  }
}

/**
 * Returns the provider of a channel; null if it has none. Throws an Error if only one of its two
 * settings is set.
 */
export function messageProvider(
  variables: Variables,
  channel: 'SMS' | 'PUSH',
): MessageProviderConfig | null {
  const { [`${channel}_URL` as const]: url, [`${channel}_SECRET` as const]: secret } = variables
  if (url && secret) return { url, secret }
  if (!url && !secret) return null
  throw new Error(`Set both of ${channel}_URL and ${channel}_SECRET, or none of them.`)
}

/** Returns the language model; null if there is none. Throws an Error if its settings are incomplete. */
export function assistModel(variables: Variables): AssistModelConfig | null {
  const { AI_BASE_URL: baseUrl, AI_API_KEY: apiKey, AI_MODEL: model } = variables
  if (baseUrl && model) return { baseUrl, apiKey, model }
  if (!baseUrl && !model) return null
  throw new Error('Set both of AI_BASE_URL and AI_MODEL, or none of them.')
}
