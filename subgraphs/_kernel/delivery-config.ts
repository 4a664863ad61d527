import { isIP } from 'node:net'

/** An HTTP service that sends messages for the bank, and the secret that signs its requests. */
export interface MessageProviderConfig {
  url: string
  /** As Standard Webhooks writes it: `whsec_` and the key in base64. */
  secret: string
}

/**
 * Reads `SMTP_URL`: `smtp[s]://user:password@host:port?from=bank@example.com`; null when unset.
 * Throws an Error that names the variable when it is no such address.
 */
export function mailUrl(text: string | undefined): string | null {
  if (!text) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return text
  throw new Error(
    'SMTP_URL must be an address like smtp://user:password@host:587?from=bank@example.com.',
  )
}

/**
 * Reads `SMS_URL` and `SMS_SECRET`, or the same pair for `PUSH`; null when both are unset.
 * Throws an Error that names the variable that is missing or malformed. Plain http is for a
 * provider on this machine only: messages hold personal data.
 */
export function messageProvider(
  env: Record<string, string | undefined>,
  name: 'SMS' | 'PUSH',
): MessageProviderConfig | null {
  const [url, secret] = [env[`${name}_URL`], env[`${name}_SECRET`]]
  if (!url && !secret) return null
  if (!url || !isPrivateEnough(url)) {
    throw new Error(`${name}_URL must be an address like https://provider.example/messages.`)
  }
  if (!secret || !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) {
    throw new Error(`${name}_SECRET must be whsec_ and at least 24 random bytes in base64.`)
  }
  return { url, secret }
}

function isPrivateEnough(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  const isLoopback = isIP(hostname) === 4 && hostname.startsWith('127.')
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || isLoopback
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}
