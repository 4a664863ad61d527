import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { faultPoint } from '../../_kernel/fault-point.ts'
import type { Answer } from '../domain/delivery.ts'
import { NotAllowed } from './address-guard.ts'

/** The response timeout. */
export const answerMs = 10_000
/** The timeout for the response body, which is only logged, and the number of bytes kept. */
const textMs = 1000
const textBytes = 1024

/** The result of a request, for the decision and for the attempt log. */
export interface Received extends Answer {
  error: string | null
  response: string | null
  durationMs: number
}

/**
 * Posts a body and waits for the response status, at most ten seconds. Redirects are not followed,
 * and at most one kilobyte of the response is read. Never throws: `error` contains the failure.
 */
export async function post(
  url: URL,
  agentOf: (url: URL) => Agent,
  headers: Readonly<Record<string, string>>,
  body: string,
  stopping?: AbortSignal,
): Promise<Received> {
  const started = performance.now()
  const timeout = AbortSignal.timeout(answerMs)
  const signal = stopping ? AbortSignal.any([stopping, timeout]) : timeout
  try {
    const answer = await send(url, agentOf(url), headers, body, signal)
    const retryAfter = answer.headers['retry-after'] ?? null
    const durationMs = Math.round(performance.now() - started)
    const response = await readText(answer)
    return { statusCode: answer.statusCode!, retryAfter, error: null, response, durationMs }
  } catch (error) {
    const durationMs = Math.round(performance.now() - started)
    const reason = timeout.aborted
      ? `No response within ${answerMs / 1000} seconds.`
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
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = begin(url, {
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
 * The beginning of the response body, as far as it arrives within a second. Closes the connection.
 */
async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  const late = setTimeout(() => answer.destroy(), textMs)
  try {
    let bytes = 0
    for await (const chunk of answer) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= textBytes) break
    }
  } catch {
    // The status was received; the body is optional.
  }
  clearTimeout(late)
  answer.destroy()
  const text = Buffer.concat(chunks).subarray(0, textBytes).toString('utf8')
  // PostgreSQL text cannot contain NUL.
  return text.replaceAll('\0', '').toWellFormed()
}

/** Why there was no response, without details of the bank's own network. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof NotAllowed || message.includes('is not allowed')) {
    return new NotAllowed().message
  }
  return (code ?? message).slice(0, 200)
}
