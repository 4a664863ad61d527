import { addMs, dayMs } from '../../_kernel/domain/dates.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'

export const endpointStatuses = ['active', 'disabled', 'deleted'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]

export const endpointMoves: Transitions<EndpointStatus> = {
  active: ['disabled', 'deleted'],
  disabled: ['active', 'deleted'],
  deleted: [],
}

/**
 * The state that each command on an endpoint leads to. The bank disables; the client does
 * everything else.
 */
export const endpointActs = {
  disable: 'disabled',
  enable: 'active',
  delete: 'deleted',
} as const satisfies Record<string, EndpointStatus>
export type EndpointAct = keyof typeof endpointActs

export const disableReasons = ['gone', 'failing'] as const
/** Why the bank disabled an endpoint: it responded with 410 (Gone), or failed for five days. */
export type DisableReason = (typeof disableReasons)[number]

export const mostEndpoints = 10
export const longestUrl = 2000
export const overlapHours = { least: 0, fallback: 24, most: 168 }

/** A signing secret, encrypted. */
export interface SealedSecret {
  sealed: string
  /** When the secret stops signing; null for the newest, which signs until it is replaced. */
  expiresAt: Date | null
}

/** A URL of a client to which events are sent. */
export interface Endpoint {
  endpointId: string
  clientId: string
  url: string
  description: string | null
  status: EndpointStatus
  statusReason: DisableReason | null
  /** One or two, the newest first. */
  secrets: readonly SealedSecret[]
  afterPosition: bigint
  contentHash: string
  /** The number of consecutive failed attempts. */
  failures: number
  /** The first failure since the latest success. */
  failingSince: Date | null
  /** No delivery is sent before this time. */
  heldUntil: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface MadeEndpoint {
  endpointId: string
  clientId: string
  url: string
  description: string | null
  sealed: string
  contentHash: string
  end: bigint
  now: Date
}

export function newEndpoint({ sealed, end, now, ...made }: MadeEndpoint): Endpoint {
  return {
    ...made,
    status: 'active',
    statusReason: null,
    secrets: [{ sealed, expiresAt: null }],
    afterPosition: end,
    ...healthy,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

const healthy = { failures: 0, failingSince: null, heldUntil: null }

/**
 * Applies a command to an endpoint. Enabling resets its health, and its pending deliveries are sent
 * immediately. Rejects with INVALID_STATE_TRANSITION.
 */
export function moveEndpoint(
  endpoint: Endpoint,
  act: EndpointAct,
  { end, now, reason = null }: { end: bigint; now: Date; reason?: DisableReason | null },
): Endpoint {
  const status = endpointActs[act]
  requireMove(endpointMoves, endpoint.status, status, endpoint.endpointId)
  const renewed = act === 'enable' ? { ...healthy, afterPosition: end } : {}
  const version = endpoint.version + 1
  return { ...endpoint, ...renewed, status, statusReason: reason, version, updatedAt: now }
}

/** Checks that the endpoint is active. Rejects with STATE_CONFLICT. */
export function requireCalled({ status, endpointId }: Endpoint): void {
  if (status === 'active') return
  throw new Problem('STATE_CONFLICT', {
    detail: `${endpointId} is ${status}; it must be active.`,
    resourceId: endpointId,
    currentState: status,
    allowedStates: ['active'],
  })
}

/**
 * Rotates the secret. The previous one continues to sign during the overlap, so that the receiver
 * can switch; an even older one ends immediately, because at most two secrets sign a message.
 * Rejects with VALIDATION_FAILED an overlap outside 0 to 168 hours, and with STATE_CONFLICT a
 * deleted endpoint.
 */
export function rotateSecret(
  endpoint: Endpoint,
  sealed: string,
  hours: number,
  now: Date,
): Endpoint {
  const { least, most } = overlapHours
  if (endpoint.status === 'deleted') requireCalled(endpoint)
  if (hours < least || hours > most) {
    throw invalid(
      'VALIDATION_FAILED',
      '/overlapHours',
      `The overlap must be from ${least} to ${most} hours.`,
    )
  }
  const [current] = endpoint.secrets
  const former = hours === 0 ? [] : [{ ...current!, expiresAt: addMs(now, hours * hourMs) }]
  const secrets = [{ sealed, expiresAt: null }, ...former]
  return { ...endpoint, secrets, version: endpoint.version + 1, updatedAt: now }
}

const hourMs = 3_600_000

/** The secrets that sign at this time, the newest first. */
export function liveSecrets(secrets: readonly SealedSecret[], now: Date): SealedSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
}

/** The URLs that an environment allows for webhooks. Networks are checked separately. */
export interface TargetRule {
  mayUseHttp: boolean
  /** null is any. */
  ports: readonly string[] | null
}

/**
 * The parsed address of an endpoint.
 * Rejects with TARGET_URL_NOT_HTTPS, and with TARGET_URL_NOT_ALLOWED an invalid or too long URL,
 * one with a user name or password, one of this machine, or one with a disallowed port.
 */
export function parseTarget(url: string, rule: TargetRule): URL {
  const target = URL.canParse(url) && url.length <= longestUrl ? new URL(url) : null
  const { protocol = '' } = target ?? {}
  if (!target || !/^https?:$/.test(protocol)) {
    throw invalid(
      'TARGET_URL_NOT_ALLOWED',
      '/url',
      `The URL must be an absolute HTTPS URL of at most ${longestUrl} characters, such as https://bank.example/hook.`,
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
  const isPlain = target.hostname === 'localhost' && rule.mayUseHttp
  if (isNameOfThisMachine(target.hostname) && !isPlain) {
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

/** RFC 6761, section 6.3: these names always denote this machine, whatever they resolve to. */
function isNameOfThisMachine(hostname: string): boolean {
  return /(^|\.)localhost\.*$/i.test(hostname)
}

/** A problem with one field of the request. */
export function invalid(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** The number of consecutive failures that opens the circuit breaker of an endpoint. */
export const circuitFailures = 10
const circuitHoldMs = 30_000
export const mostFailingMs = 5 * dayMs

/**
 * When deliveries to an endpoint resume after another failure; null when they are not held back.
 */
export function holdAfterFailure(
  failures: number,
  retryAfter: Date | null,
  now: Date,
): Date | null {
  const circuit = failures >= circuitFailures ? addMs(now, circuitHoldMs) : null
  if (!circuit || !retryAfter) return circuit ?? retryAfter
  return circuit > retryAfter ? circuit : retryAfter
}

/** Whether an endpoint has failed for so long that the bank disables it. */
export function isGivenUp(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= mostFailingMs
}
