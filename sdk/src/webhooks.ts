import type { BankEvent } from './events.ts'

/** A delivery of the bank, as the server of your program received it. */
export interface Delivery {
  /** The body, exactly as it was received, before it is parsed. */
  body: string
  /** The headers: an object as in Node, or `Headers`. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The secret of the endpoint, `whsec_…`; both secrets during a rotation. */
  secret: string | readonly string[]
  /** How old a delivery may be, in seconds. Default: 300. */
  toleranceSeconds?: number
}

/** A delivery is not from the bank, was changed, or is too old. Respond with 400. */
export class InvalidDelivery extends Error {
  override readonly name = 'InvalidDelivery'
}

/** The event of a delivery: a CloudEvent 1.0 with the position and the sequence of the bank. */
export interface DeliveredEvent {
  /** The ID of the event, the same in all attempts and replays: process each ID once. */
  id: string
  source: string
  type: BankEvent['type']
  /** The record that the event is about, as `<entity>/<id>`. */
  subject: string
  time: string
  position: string
  sequence: number
  /** Null in deliveries without data (`payloadMode: THIN`). */
  data: BankEvent['data'] | null
}

const prefix = 'whsec_'

/**
 * Verifies the signature and the age of a delivery (Standard Webhooks 1.0), and returns its event.
 * Throws `InvalidDelivery`.
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
}: Delivery): Promise<DeliveredEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerIn(headers, name),
  )
  if (!id || !timestamp || !signatures) throw new InvalidDelivery('The signature is missing.')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= toleranceSeconds)) throw new InvalidDelivery('The delivery is too old.')
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const sent = signatures.split(' ').flatMap((each) => signatureFrom(each) ?? [])
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyFrom(each)
    for (const signature of sent) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return eventFrom(body)
    }
  }
  throw new InvalidDelivery('The signature is wrong.')
}

/** A message to be signed like a delivery of the bank, to test the receiver of a program. */
export interface Message {
  id: string
  body: string
  /** The secret of the endpoint, `whsec_…`. */
  secret: string
  /** Default: now. */
  time?: Date
}

/** Creates a secret in the format of the bank: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return prefix + btoa(String.fromCodePoint(...crypto.getRandomValues(new Uint8Array(32))))
}

/** Returns the headers with which the bank would deliver a message (Standard Webhooks 1.0). */
export async function signWebhook({
  id,
  body,
  secret,
  time = new Date(),
}: Message): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(time.getTime() / 1000))
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await keyFrom(secret), content))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCodePoint(...signature))}`,
  }
}

function eventFrom(body: string): DeliveredEvent {
  const event = JSON.parse(body) as Omit<DeliveredEvent, 'position'> & { position: unknown }
  return { ...event, position: String(event.position), data: event.data ?? null }
}

function keyFrom(secret: string): Promise<CryptoKey> {
  const bytes = bytesFrom(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret)
  if (!bytes) throw new TypeError('The secret is not a secret of a webhook endpoint (whsec_…).')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
}

function signatureFrom(text: string): Uint8Array<ArrayBuffer> | null {
  const [version, signature] = text.split(',')
  return version === 'v1' && signature !== undefined ? bytesFrom(signature) : null
}

function bytesFrom(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.codePointAt(0)!)
  } catch {
    return null
  }
}

function headerIn(headers: Delivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}
