import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../../../kernel/environment/context.ts'
import type { OAuthClient } from '../domain/oauth-client.ts'

/**
 * A client with its new secret. The secret is encrypted, because the response is stored for
 * idempotency; null for a client without a secret.
 */
export interface WithSecret {
  client: OAuthClient
  encrypted: string | null
}

/** Generates a secret: 32 random bytes in base64url. */
export const newSecret = () => randomBytes(32).toString('base64url')

/**
 * Hashes a secret. A single hash is enough for 32 random bytes; only secrets that people choose
 * need key stretching.
 */
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

const vaultKeyOf = ({ clientId }: OAuthClient) => `oauth-client/${clientId}`

/** Encrypts the secret of a client for the stored response. */
export function encryptSecret({ bank }: Context, client: OAuthClient, secret: string): string {
  return bank.vault.encrypt(secret, vaultKeyOf(client))
}

/** Decrypts the secret for the response that contains it; null if there is none. */
export function openSecret({ bank }: Context, { client, encrypted }: WithSecret): string | null {
  if (encrypted === null) return null
  return bank.vault.decrypt(encrypted, vaultKeyOf(client))
}
