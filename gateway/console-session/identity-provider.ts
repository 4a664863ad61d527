import * as oauth from 'openid-client'
import { Problem } from '../../kernel/domain/problem.ts'
import { isLoopbackHost } from '../../kernel/domain/loopback.ts'

/** How the console is registered at the identity provider at which people log in. */
export interface ConsoleClient {
  /** The issuer of its tokens, as a URL. */
  issuer: string
  /** The metadata of the provider; null to read it from the provider (OpenID Connect Discovery). */
  metadata: oauth.ServerMetadata | null
  clientId: string
  /** Authenticates the console at the provider. */
  authenticate: oauth.ClientAuth
  /** Additional parameters of authorization requests, such as `scope` and `resource`. */
  parameters: Readonly<Record<string, string>>
  /** Whether tokens must be bound to a key (DPoP, RFC 9449). */
  isKeyBound: boolean
  /** Sends requests to the provider. Default: over HTTP. */
  fetch?: oauth.CustomFetch
}

/** What must survive the visit of the browser to the provider. */
export interface PendingLogIn {
  state: string
  nonce: string
  verifier: string
  /** The path that is shown afterwards. */
  returnTo: string
  /** Whether the provider must not show a page (`prompt=none`). */
  isSilent: boolean
  maxAge: number | null
  /** The private key to which the tokens will be bound; null for bearer tokens. */
  proofKey: JsonWebKey | null
  expiresAt: number
}

/** What the provider issued for a person. */
export interface IssuedTokens {
  type: 'Bearer' | 'DPoP'
  accessToken: string
  refreshToken: string | null
  /** The claims of the ID token; null if a refresh returned none. */
  claims: Readonly<Record<string, unknown>> | null
}

/** What a log-in requests beyond the usual. */
export interface LogInRequest {
  returnTo: string
  /** `login_hint`, `prompt`, `acr_values` and `max_age`, as the provider defines them. */
  parameters: Readonly<Record<string, string>>
}

const metadataMs = 3600_000
const timeoutSeconds = 10
/** How long a person may take for the pages of the provider. */
export const logInSeconds = 600

/**
 * The identity provider as the console uses it: authorization code with PKCE, with a pushed request
 * if the provider accepts one.
 */
export class IdentityProvider {
  readonly client: ConsoleClient
  readonly #redirectUri: string
  #configuration: { value: Promise<oauth.Configuration>; readAt: number } | null = null

  constructor(client: ConsoleClient, redirectUri: string) {
    this.client = client
    this.#redirectUri = redirectUri
  }

  /** Begins a log-in. Returns the URL to which the browser goes, and what must be kept. */
  async begin({
    returnTo,
    parameters,
  }: LogInRequest): Promise<{ url: URL; pending: PendingLogIn }> {
    const configuration = await this.configuration()
    const keys = this.client.isKeyBound ? await newKeys() : null
    const pending: PendingLogIn = {
      state: oauth.randomState(),
      nonce: oauth.randomNonce(),
      verifier: oauth.randomPKCECodeVerifier(),
      returnTo,
      isSilent: parameters['prompt'] === 'none',
      maxAge: parameters['max_age'] === undefined ? null : Number(parameters['max_age']),
      proofKey: keys && (await crypto.subtle.exportKey('jwk', keys.privateKey)),
      expiresAt: Date.now() + logInSeconds * 1000,
    }
    const request = {
      ...this.client.parameters,
      ...parameters,
      redirect_uri: this.#redirectUri,
      response_type: 'code',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    }
    const isPushed = Boolean(configuration.serverMetadata().pushed_authorization_request_endpoint)
    const url = isPushed
      ? await oauth.buildAuthorizationUrlWithPAR(
          configuration,
          request,
          proofsOf(configuration, keys),
        )
      : oauth.buildAuthorizationUrl(configuration, request)
    return { url, pending }
  }

  /**
   * Exchanges the code with which the browser returned. Throws an Error if the log-in was denied,
   * failed, or is not the pending one.
   */
  async finish(url: URL, pending: PendingLogIn): Promise<IssuedTokens> {
    const configuration = await this.configuration()
    const { state, nonce, verifier, maxAge, proofKey } = pending
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      ...(maxAge !== null && { maxAge }),
    }
    const returned = new URL(this.#redirectUri)
    returned.search = url.search
    const proofs = proofsOf(configuration, proofKey && (await keysOf(proofKey)))
    return this.#tokensOf(
      await oauth.authorizationCodeGrant(configuration, returned, checks, this.#resource(), proofs),
    )
  }

  /** Replaces tokens that expire. Throws an Error; `isRejection` says whether it is final. */
  async refresh(refreshToken: string, proofKey: JsonWebKey | null): Promise<IssuedTokens> {
    const configuration = await this.configuration()
    const proofs = proofsOf(configuration, proofKey && (await keysOf(proofKey)))
    return this.#tokensOf(
      await oauth.refreshTokenGrant(configuration, refreshToken, this.#resource(), proofs),
    )
  }

  /** Revokes a refresh token, and with it the tokens that were issued for it. */
  async revoke(refreshToken: string): Promise<void> {
    const configuration = await this.configuration()
    if (configuration.serverMetadata().revocation_endpoint) {
      await oauth.tokenRevocation(configuration, refreshToken)
    }
  }

  /**
   * Returns the page on which the person logs out of the provider, too (RP-initiated log-out); null
   * if there is none. The browser never gets an ID token, so the page asks for a confirmation.
   */
  async logOutUrl(returnTo: string): Promise<URL | null> {
    const configuration = await this.configuration()
    if (!configuration.serverMetadata().end_session_endpoint) return null
    return oauth.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo })
  }

  /**
   * Returns the provider with its metadata, which is read once an hour. Throws
   * DEPENDENCY_UNAVAILABLE.
   */
  configuration(): Promise<oauth.Configuration> {
    const isCurrent =
      this.#configuration &&
      (this.client.metadata || Date.now() - this.#configuration.readAt < metadataMs)
    if (!isCurrent) this.#configuration = { value: this.#discover(), readAt: Date.now() }
    return this.#configuration!.value
  }

  async #discover(): Promise<oauth.Configuration> {
    const { issuer, metadata, clientId, authenticate, fetch } = this.client
    const execute = isInsecure(issuer) ? [oauth.allowInsecureRequests] : []
    if (metadata) {
      const configuration = new oauth.Configuration(metadata, clientId, {}, authenticate)
      if (fetch) configuration[oauth.customFetch] = fetch
      for (const apply of execute) apply(configuration)
      return configuration
    }
    const options = { execute, timeout: timeoutSeconds }
    return oauth
      .discovery(new URL(issuer), clientId, {}, authenticate, options)
      .catch((cause: unknown) => {
        this.#configuration = null
        const detail = 'The identity provider of the bank does not answer.'
        throw new Problem('DEPENDENCY_UNAVAILABLE', { detail }, { cause })
      })
  }

  /** RFC 8707: the resource is named in both requests, so that the tokens are for the bank. */
  #resource(): Record<string, string> {
    const { resource } = this.client.parameters
    return resource === undefined ? {} : { resource }
  }

  #tokensOf(tokens: Awaited<ReturnType<typeof oauth.refreshTokenGrant>>): IssuedTokens {
    const { access_token: accessToken, refresh_token: refreshToken = null } = tokens
    const type = tokens.token_type.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer'
    if (this.client.isKeyBound && type !== 'DPoP') {
      throw new Error('The identity provider issued a token that is not bound to a key.')
    }
    return { type, accessToken, refreshToken, claims: tokens.claims() ?? null }
  }
}

/** Whether the provider rejected a request for good, such as a refresh token that was revoked. */
export const isRejection = (error: unknown): boolean =>
  error instanceof oauth.ResponseBodyError && error.status < 500

/** Plain HTTP is only for a provider on this machine. */
const isInsecure = (issuer: string): boolean => {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'http:' && isLoopbackHost(hostname)
}

const newKeys = () => oauth.randomDPoPKeyPair('ES256', { extractable: true })

const proofsOf = (configuration: oauth.Configuration, keys: CryptoKeyPair | null) =>
  keys ? { DPoP: oauth.getDPoPHandle(configuration, keys) } : {}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }

async function keysOf(privateJwk: JsonWebKey): Promise<CryptoKeyPair> {
  const { d: _, key_ops: __, ...publicJwk } = privateJwk
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', privateJwk, algorithm, false, ['sign']),
    crypto.subtle.importKey('jwk', publicJwk, algorithm, true, ['verify']),
  ])
  return { privateKey, publicKey }
}
