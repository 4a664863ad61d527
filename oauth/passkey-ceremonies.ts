import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Passkey } from './passkeys.ts'

/** The library takes half a second to load, so it is loaded for the first ceremony. */
const webAuthn = () => import('@simplewebauthn/server')

/** The relying party of WebAuthn: the origin of the pages, and its domain. */
export interface RelyingParty {
  /** The domain to which passkeys are bound, such as `bank.example`. */
  id: string
  /** The only origin whose responses are accepted, such as `https://bank.example`. */
  origin: string
}

/**
 * Returns the relying party of an issuer; null if passkeys are not possible there: a passkey
 * belongs to a domain, never to an IP address (WebAuthn, 5.1.2), and browsers offer passkeys only
 * over HTTPS and on `localhost`.
 */
export function relyingPartyOf(issuer: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(issuer)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isAddress || !isSecure ? null : { id: hostname, origin }
}

/** COSE algorithms: ES256 and RS256, which together all authenticators support. */
const supportedAlgorithmIDs = [-7, -257]
const timeoutMs = 120_000

/** A challenge in base64url as the bytes that it stands for. */
const bytesOf = (base64url: string) => Uint8Array.from(Buffer.from(base64url, 'base64url'))

/** Returns the options of `navigator.credentials.create` for a new passkey of a person. */
export async function registrationOptions(
  { id }: RelyingParty,
  person: { username: string; userHandle: string },
  challenge: string,
  existingPasskeys: readonly Passkey[],
) {
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpName: 'bankgraph',
    rpID: id,
    userName: person.username,
    userID: bytesOf(person.userHandle),
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: existingPasskeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
  })
}

/**
 * Returns the options of `navigator.credentials.get`. Without `passkeys`, the browser offers all
 * passkeys for the domain, so that the page does not reveal who has one.
 */
export async function authenticationOptions(
  { id }: RelyingParty,
  challenge: string,
  passkeys: readonly Passkey[] = [],
) {
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: id,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: 'required',
  })
}

const descriptorOf = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports })

type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>

/**
 * Verifies the response of `navigator.credentials.create` (WebAuthn, 7.1). Returns null unless it is
 * for this challenge, domain and origin, and the user was verified.
 */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  challenge: string,
  response: unknown,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await webAuthn()
  const verification = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs,
  }).catch(() => null)
  if (!verification?.verified) return null
  const {
    id: credentialId,
    publicKey,
    counter,
    transports,
  } = verification.registrationInfo.credential
  const known = (transports ?? []).filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 10)
  return { credentialId, publicKey, signCount: counter, transports: known }
}

/**
 * Verifies the response of `navigator.credentials.get` (WebAuthn, 7.2). Returns the new signature
 * counter; null unless the passkey signed this challenge for this domain and origin, the user was
 * verified, and the counter grew.
 */
export async function verifyAssertion(
  { id, origin }: RelyingParty,
  challenge: string,
  passkey: Passkey,
  response: unknown,
): Promise<number | null> {
  const { response: data } = response as AuthenticationResponseJSON
  // The owner of the passkey and the user handle in the response must be the same person.
  if (data?.userHandle && data.userHandle !== passkey.userHandle) return null
  const { credentialId, publicKey, signCount: counter } = passkey
  const { verifyAuthenticationResponse } = await webAuthn()
  const verification = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: { id: credentialId, publicKey, counter },
    requireUserVerification: true,
  }).catch(() => null)
  return verification?.verified ? verification.authenticationInfo.newCounter : null
}
