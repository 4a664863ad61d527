/** A passkey in software, which can also sign what no honest authenticator signs. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Pool } from 'pg'
import { writeArguments } from '../../kernel/authorization/identity-log.ts'
import { addPasskey } from '../../oauth/passkeys.ts'

/** What an assertion says; by default, what an honest authenticator says. */
export interface AssertionChanges {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  userHandle?: string | null
  signCount?: number
  isUserVerified?: boolean
  key?: KeyObject
  crossOrigin?: boolean
}

interface RequestOptions {
  challenge: string
  rpId: string
}

/** Returns the options for a passkey in the HTML of a page. */
export function optionsIn(page: string): RequestOptions {
  const [, escaped = ''] = /data-options="([^"]*)"/.exec(page) ?? []
  const json = escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  return JSON.parse(json) as RequestOptions
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

export class SoftwarePasskey {
  readonly credentialId = randomBytes(16).toString('base64url')
  readonly #origin: string
  readonly #userHandle = randomBytes(32).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /** The signature counter; an authenticator without a counter always sends 0. */
  signCount = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Stores the passkey for a person, as after a registration; not if it must be the first one. */
  async register(pool: Pool, username: string, hasUsedPasskey = true): Promise<boolean> {
    const kind = 'passkey-registration' as const
    const record = writeArguments({ kind, outcome: 'succeeded', person: username })
    const passkey = {
      credentialId: this.credentialId,
      username,
      userHandle: this.#userHandle,
      publicKey: this.#coseKey(),
      signCount: this.signCount,
      transports: ['internal'],
      label: 'Software',
      createdAt: new Date(),
      lastUsedAt: null,
    }
    return addPasskey(pool, passkey, hasUsedPasskey, record)
  }

  /** Returns the response of the authenticator as the page sends it. */
  use({ challenge, rpId }: RequestOptions, changes: AssertionChanges = {}): string {
    const clientData = JSON.stringify({
      type: changes.type ?? 'webauthn.get',
      challenge: changes.challenge ?? challenge,
      origin: changes.origin ?? this.#origin,
      crossOrigin: changes.crossOrigin ?? false,
    })
    const isUserVerified = changes.isUserVerified ?? true
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(changes.signCount ?? this.signCount)
    const flags = Buffer.from([isUserVerified ? 0x05 : 0x01])
    const authenticatorData = Buffer.concat([sha256(changes.rpId ?? rpId), flags, counter])
    const signed = Buffer.concat([authenticatorData, sha256(clientData)])
    const signature = sign('sha256', signed, changes.key ?? this.#keys.privateKey)
    return JSON.stringify({
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        authenticatorData: authenticatorData.toString('base64url'),
        clientDataJSON: Buffer.from(clientData).toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: changes.userHandle === undefined ? this.#userHandle : changes.userHandle,
      },
    })
  }

  /** The public key as a COSE key (RFC 9053, 7.1.1). */
  #coseKey(): Uint8Array<ArrayBuffer> {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const bytes = (text: string | undefined) => Buffer.from(text!, 'base64url')
    return Uint8Array.from(
      Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        bytes(x),
        Buffer.from('225820', 'hex'),
        bytes(y),
      ]),
    )
  }
}
