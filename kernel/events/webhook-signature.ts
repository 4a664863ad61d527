import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/**
 * Creates a signing secret in the Standard Webhooks format: `whsec_` followed by 32 random bytes in
 * base64.
 */
export function newSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

/**
 * Returns the headers of a message (Standard Webhooks 1.0). The signature is an HMAC-SHA256 over
 * ID, time and body. There is one signature per secret, so that during a rotation a receiver that
 * knows either secret accepts the message.
 */
export function signedHeaders(
  secrets: readonly string[],
  messageId: string,
  time: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(time.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    const signedText = `${messageId}.${timestamp}.${body}`
    return `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
