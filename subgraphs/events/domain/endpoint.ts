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

/** What is done to an endpoint. The bank disables; its client does everything else. */
export const endpointActs = {
  disable: 'disabled',
  enable: 'active',
  delete: 'deleted',
} as const satisfies Record<string, EndpointStatus>
export type EndpointAct = keyof typeof endpointActs

export const disableReasons = ['gone', 'failing'] as const
/** Why the bank stopped calling: it answered 410, or failed for five days. */
export type DisableReason = (typeof disableReasons)[number]

export const mostEndpoints = 10
export const longestUrl = 2000
export const overlapHours = { least: 0, fallback: 24, most: 168 }

/** A signing secret: sealed here, known to whoever registered the endpoint. */
export interface SealedSecret {
  sealed: string
  /** Signs until then; null is the newest, which signs until it is replaced. */
  expiresAt: Date | null
}

/** An address of a client that events are sent to. */
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
  /** Failed attempts in a row. */
  failures: number
  /** Since when nothing but failures. */
  failingSince: Date | null
  /** Not called before then. */
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
 * Does one act to an endpoint. One that is enabled again starts without a history; what waited for
 * it goes out at once. Refuses with INVALID_STATE_TRANSITION.
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

/** Promises that the endpoint is one that is called. Refuses with STATE_CONFLICT. */
export function requireCalled({ status, endpointId }: Endpoint): void {
  if (status === 'active') return
  throw new Problem('STATE_CONFLICT', {
    detail: `${endpointId} is ${status}.`,
    resourceId: endpointId,
    currentState: status,
    allowedStates: ['active'],
  })
}

/**
 * Puts a new secret first. The one it replaces goes on signing for some hours, so that a receiver
 * can change over; an older one ends at once, because two is what receivers try.
 * Refuses with VALIDATION_FAILED other than 0 to 168 hours, STATE_CONFLICT a deleted endpoint.
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
    throw invalid('VALIDATION_FAILED', '/overlapHours', `From ${least} to ${most} hours.`)
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

/** Where an environment lets webhooks go; which networks is looked at beside this. */
export interface TargetRule {
  mayUseHttp: boolean
  /** null is any. */
  ports: readonly string[] | null
}

/**
 * The parsed address of an endpoint.
 * Refuses with TARGET_URL_NOT_HTTPS, and with TARGET_URL_NOT_ALLOWED what is no address, is too
 * long, carries a user name, or names a port that is not for this.
 */
export function parseTarget(url: string, rule: TargetRule): URL {
  const target = URL.canParse(url) && url.length <= longestUrl ? new URL(url) : null
  const { protocol = '' } = target ?? {}
  if (!target || !/^https?:$/.test(protocol)) {
    throw invalid('TARGET_URL_NOT_ALLOWED', '/url', 'An address such as https://bank.example/hook.')
  }
  if (protocol !== 'https:' && !rule.mayUseHttp) {
    throw invalid('TARGET_URL_NOT_HTTPS', '/url', 'An address that begins with https://.')
  }
  if (target.username || target.password) {
    throw invalid('TARGET_URL_NOT_ALLOWED', '/url', 'Without a user name or password.')
  }
  const isPlain = target.hostname === 'localhost' && rule.mayUseHttp
  if (isNameOfThisMachine(target.hostname) && !isPlain) {
    throw invalid('TARGET_URL_NOT_ALLOWED', '/url', 'A public name, not one of this machine.')
  }
  const port = target.port || (protocol === 'https:' ? '443' : '80')
  if (rule.ports && !rule.ports.includes(port)) {
    throw invalid('TARGET_URL_NOT_ALLOWED', '/url', `On port ${rule.ports.join(' or ')}.`)
  }
  return target
}

/** RFC 6761, 6.3: these names are this machine's, whatever a resolver says of them. */
function isNameOfThisMachine(hostname: string): boolean {
  return /(^|\.)localhost\.*$/i.test(hostname)
}

/** A refusal of one member of the request. */
export function invalid(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** Failures in a row after which an endpoint is called once in a while only, until it answers. */
export const circuitFailures = 10
const circuitHoldMs = 30_000
export const mostFailingMs = 5 * dayMs

/** Until when an endpoint is left alone after one more failure; null is not at all. */
export function holdAfterFailure(
  failures: number,
  retryAfter: Date | null,
  now: Date,
): Date | null {
  const circuit = failures >= circuitFailures ? addMs(now, circuitHoldMs) : null
  if (!circuit || !retryAfter) return circuit ?? retryAfter
  return circuit > retryAfter ? circuit : retryAfter
}

/** Whether an endpoint that failed once more has failed for so long that the bank gives it up. */
export function isGivenUp(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= mostFailingMs
}
