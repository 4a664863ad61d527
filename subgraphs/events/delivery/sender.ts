import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { faultPoint } from '../../../kernel/environment/fault-point.ts'
import type { Answer } from '../domain/delivery.ts'
import { NotAllowed } from './address-guard.ts'

/** The timeout for the response status, in milliseconds. */
export const responseTimeoutMs = 10_000
/** The timeout for the response body, which is only recorded in the attempt log. */
const bodyTimeoutMs = 1000
/** The maximum number of bytes of the response body that are recorded. */
const maxBodyBytes = 1024

/** The result of a request, including the details for the attempt log. */
export interface SendResult extends Answer {
  error: string | null
  response: string | null
  durationMs: number
}

/**
 * Posts a body and waits up to ten seconds for the response status. Redirects are not followed. At
 * most one kilobyte of the response body is read. Never throws; `error` describes a failure.
 */
export async function post(
  url: URL,
  agentOf: (url: URL) => Agent,
  headers: Readonly<Record<string, string>>,
  body: string,
  stopSignal?: AbortSignal,
): Promise<SendResult> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(responseTimeoutMs)
  const signal = stopSignal ? AbortSignal.any([stopSignal, timeout]) : timeout
  try {
    const message = await send(url, agentOf(url), headers, body, signal)
    const retryAfter = message.headers['retry-after'] ?? null
    const durationMs = Math.round(performance.now() - startedAt)
    const response = await readText(message)
    return { statusCode: message.statusCode!, retryAfter, error: null, response, durationMs }
  } catch (error) {
    const durationMs = Math.round(performance.now() - startedAt)
    const reason = timeout.aborted
      ? `No response within ${responseTimeoutMs / 1000} seconds.`
      : reasonOf(error)
    return { statusCode: null, retryAfter: null, error: reason, response: null, durationMs }
  }
}

function send(
  url: URL,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const startRequest = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = startRequest(url, {
      method: 'POST',
      agent,
      signal,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    })
    request.on('error', reject)
    request.on('response', resolve)
    request.on('finish', () => faultPoint('webhook.sent'))
    request.end(body)
  })
}

/**
 * Returns the part of the response body that arrives within a second, at most one kilobyte. Closes
 * the connection.
 */
async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  const timer = setTimeout(() => message.destroy(), bodyTimeoutMs)
  try {
    let bytes = 0
    for await (const chunk of message) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= maxBodyBytes) break
    }
  } catch {
    // The status was already received, so the body can be incomplete.
  }
  clearTimeout(timer)
  message.destroy()
  const text = Buffer.concat(chunks).subarray(0, maxBodyBytes).toString('utf8')
  // PostgreSQL text cannot contain NUL.
  return text.replaceAll('\0', '').toWellFormed()
}

/** Returns why there was no response, without details about the bank's network. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof NotAllowed || message.includes('is not allowed')) {
    return new NotAllowed().message
  }
  return (code ?? message).slice(0, 200)
}
