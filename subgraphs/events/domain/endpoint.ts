import type { EndpointStatus, DisableReason } from '../model/enumerations.ts'
import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'

export const endpointTransitions: Transitions<EndpointStatus> = {
  active: ['disabled', 'deleted'],
  disabled: ['active', 'deleted'],
  deleted: [],
}

/**
 * The resulting status of each command on an endpoint. Only the bank disables endpoints; the other
 * commands come from the client.
 */
export const endpointActions = {
  disable: 'disabled',
  enable: 'active',
  delete: 'deleted',
} as const satisfies Record<string, EndpointStatus>
export type EndpointAction = keyof typeof endpointActions

export const maxEndpoints = 10
export const maxUrlLength = 2000
/** The allowed range and the default of the overlap of two secrets, in hours. */
export const overlapHours = { least: 0, fallback: 24, max: 168 }

/** An encrypted signing secret. */
export interface EncryptedSecret {
  encrypted: string
  /** When the secret stops signing; null for the newest secret, which signs until it is rotated. */
  expiresAt: Date | null
}

/** A webhook endpoint: a URL of a client to which events are sent. */
export interface Endpoint {
  endpointId: string
  clientId: string
  url: string
  description: string | null
  status: EndpointStatus
  statusReason: DisableReason | null
  /** One or two secrets, the newest first. */
  secrets: readonly EncryptedSecret[]
  /** The position in the event log after which events are sent. */
  afterPosition: bigint
  contentHash: string
  /** The number of consecutive failed attempts. */
  failures: number
  /** The time of the first failure since the last success; null if there is none. */
  failingSince: Date | null
  /** The time before which nothing is sent; null if deliveries are not held back. */
  heldUntil: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface EndpointCreation {
  endpointId: string
  clientId: string
  url: string
  description: string | null
  encrypted: string
  contentHash: string
  end: bigint
  now: Date
}

export function newEndpoint({ encrypted, end, now, ...stamp }: EndpointCreation): Endpoint {
  return {
    ...stamp,
    status: 'active',
    statusReason: null,
    secrets: [{ encrypted, expiresAt: null }],
    afterPosition: end,
    ...resetHealth,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

const resetHealth = { failures: 0, failingSince: null, heldUntil: null }

/**
 * Applies a command to an endpoint. `enable` resets the health of the endpoint, so that pending
 * deliveries are sent immediately. New deliveries are then planned only for events after the
 * position `end`. Throws INVALID_STATE_TRANSITION.
 */
export function transitionEndpoint(
  endpoint: Endpoint,
  action: EndpointAction,
  { end, now, reason = null }: { end: bigint; now: Date; reason?: DisableReason | null },
): Endpoint {
  const status = endpointActions[action]
  assertTransition(endpointTransitions, endpoint.status, status, endpoint.endpointId)
  const resetFields = action === 'enable' ? { ...resetHealth, afterPosition: end } : {}
  const version = endpoint.version + 1
  return { ...endpoint, ...resetFields, status, statusReason: reason, version, updatedAt: now }
}

/** Checks that the endpoint is active. Throws STATE_CONFLICT. */
export function requireActiveEndpoint({ status, endpointId }: Endpoint): void {
  if (status === 'active') return
  throw new Problem('STATE_CONFLICT', {
    detail: `${endpointId} is ${status}; it must be active.`,
    resourceId: endpointId,
    currentState: status,
    allowedStates: ['active'],
  })
}

/**
 * Rotates the secret of an endpoint. During the overlap, the previous secret continues to sign, so
 * that the receiver can switch. An older secret stops signing immediately, because at most two
 * secrets sign a message.
 * Throws VALIDATION_FAILED for an overlap outside 0 to 168 hours, and STATE_CONFLICT if the
 * endpoint is deleted.
 */
export function rotateSecret(
  endpoint: Endpoint,
  encrypted: string,
  hours: number,
  now: Date,
): Endpoint {
  const { least, max: maxHours } = overlapHours
  if (endpoint.status === 'deleted') requireActiveEndpoint(endpoint)
  if (hours < least || hours > maxHours) {
    throw invalid(
      'VALIDATION_FAILED',
      '/overlapHours',
      `The overlap must be from ${least} to ${maxHours} hours.`,
    )
  }
  const [current] = endpoint.secrets
  const previous = hours === 0 ? [] : [{ ...current!, expiresAt: addMs(now, hours * hourMs) }]
  const secrets = [{ encrypted, expiresAt: null }, ...previous]
  return { ...endpoint, secrets, version: endpoint.version + 1, updatedAt: now }
}

const hourMs = 3_600_000

/** Returns the secrets that sign at a time, the newest first. */
export function liveSecrets(secrets: readonly EncryptedSecret[], now: Date): EncryptedSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
}

/** The rule for webhook URLs of an environment. Networks are checked separately. */
export interface TargetRule {
  mayUseHttp: boolean
  /** The allowed ports; null if every port is allowed. */
  ports: readonly string[] | null
}

/**
 * Parses the URL of an endpoint. Throws TARGET_URL_NOT_HTTPS, and TARGET_URL_NOT_ALLOWED if the URL
 * is invalid or too long, contains a user name or password, names this machine, or has a port that
 * is not allowed.
 */
export function parseTarget(url: string, rule: TargetRule): URL {
  const target = URL.canParse(url) && url.length <= maxUrlLength ? new URL(url) : null
  const { protocol = '' } = target ?? {}
  if (!target || !/^https?:$/.test(protocol)) {
    throw invalid(
      'TARGET_URL_NOT_ALLOWED',
      '/url',
      `The URL must be an absolute HTTPS URL of at most ${maxUrlLength} characters, such as https://bank.example/hook.`,
    )
  }
  if (protocol !== 'https:' && !rule.mayUseHttp) {
    throw invalid('TARGET_URL_NOT_HTTPS', '/url', 'The URL must begin with https://.')
  }
  if (target.username || target.password) {
    throw invalid(
      'TARGET_URL_NOT_ALLOWED',
      '/url',
      'The URL must not contain a user name or password.',
    )
  }
  const isAllowedLocalhost = target.hostname === 'localhost' && rule.mayUseHttp
  if (isNameOfThisMachine(target.hostname) && !isAllowedLocalhost) {
    throw invalid(
      'TARGET_URL_NOT_ALLOWED',
      '/url',
      'The host of the URL must be a public name, not localhost.',
    )
  }
  const port = target.port || (protocol === 'https:' ? '443' : '80')
  if (rule.ports && !rule.ports.includes(port)) {
    throw invalid(
      'TARGET_URL_NOT_ALLOWED',
      '/url',
      `The port of the URL must be ${rule.ports.join(' or ')}.`,
    )
  }
  return target
}

/** Whether a host name is `localhost` or ends in `.localhost` (RFC 6761, section 6.3). */
function isNameOfThisMachine(hostname: string): boolean {
  return /(^|\.)localhost\.*$/i.test(hostname)
}

/** Returns a problem with one error, for the property at `pointer`. */
export function invalid(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** The number of consecutive failures that opens the circuit breaker of an endpoint. */
export const circuitFailures = 10
/** How long the circuit breaker stays open after a failure. */
const circuitHoldMs = 30_000
/** The time without a success after which a failing endpoint is disabled. */
export const maxFailingMs = 5 * dayMs

/**
 * Returns when deliveries to an endpoint resume after a failure: at the time of `Retry-After` or
 * when the circuit breaker closes, whichever is later. Returns null if deliveries are not held
 * back.
 */
export function holdAfterFailure(
  failures: number,
  retryAfter: Date | null,
  now: Date,
): Date | null {
  const circuitEnd = failures >= circuitFailures ? addMs(now, circuitHoldMs) : null
  if (!circuitEnd || !retryAfter) return circuitEnd ?? retryAfter
  return circuitEnd > retryAfter ? circuitEnd : retryAfter
}

/** Whether an endpoint has failed for five days, after which the bank disables it. */
export function isAbandoned(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= maxFailingMs
}
