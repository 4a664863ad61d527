import * as oauth from 'oauth4webapi'
import type { ProofKeyStore, ProofOption } from './proof-keys.ts'
import type { TokenProofs } from './token-source.ts'

/** Proves that the client which sends a token has the key to which the token is bound. */
export class Proofs implements TokenProofs {
  readonly #store: ProofKeyStore | null
  #handles: Promise<{ token: oauth.DPoPHandle; resource: oauth.DPoPHandle }> | null = null
  #nonce: string | undefined

  constructor(store: ProofKeyStore | null) {
    this.#store = store
  }

  /** Returns the handle with which tokens are requested, with the nonces of that server. */
  async forTokens(): Promise<oauth.DPoPHandle> {
    return (await this.#ready()).token
  }

  /** Returns the headers of one request with a token. `url` is that of HTTP, also for a WebSocket. */
  async headers(token: string, method: string, url: string): Promise<Record<string, string>> {
    const { resource } = await this.#ready()
    let headers: Record<string, string> = {}
    // The library makes the proof for a request that it sends itself. This one is sent by the transport.
    await oauth.protectedResourceRequest(token, method, new URL(url), undefined, null, {
      DPoP: resource,
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (_url, request) => {
        headers = request.headers
        return Promise.resolve(new Response())
      },
    })
    return { authorization: headers['authorization']!, dpop: headers['dpop']! }
  }

  /** Notes the nonce that the bank wants in the next proof. */
  noteNonce(nonce: string | null): void {
    if (nonce !== null) this.#nonce = nonce
  }

  #ready() {
    this.#handles ??= this.#create().catch((error: unknown) => {
      this.#handles = null
      throw error
    })
    return this.#handles
  }

  async #create() {
    const stored = await this.#store?.get()
    const keys = stored ?? (await oauth.generateKeyPair('ES256', { extractable: false }))
    if (!stored) await this.#store?.set(keys)
    return {
      token: oauth.DPoP({}, keys),
      // The nonces of the two servers differ, although they have the same origin.
      resource: oauth.DPoP({}, keys, {
        [oauth.modifyAssertion]: (_header, payload) => {
          if (this.#nonce !== undefined) payload['nonce'] = this.#nonce
        },
      }),
    }
  }
}

/** Returns the proofs that an option asks for; null if tokens are not bound to a key. */
export function proofsOf(option: ProofOption | undefined): Proofs | null {
  if (option === undefined || option === false) return null
  return new Proofs(option === true ? null : option)
}

/** Whether the bank rejected a proof only because it wants its nonce in it. */
export const isNonceRequest = (response: Response): boolean =>
  response.status === 401 &&
  Boolean(response.headers.get('www-authenticate')?.includes('error="use_dpop_nonce"'))

/** Requests a token, and once more if the server wants its nonce in the proof. */
export async function withNonce<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error
    return request()
  }
}
