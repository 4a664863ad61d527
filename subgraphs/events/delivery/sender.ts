import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { faultPoint } from '../../_kernel/fault-point.ts'
import type { Answer } from '../domain/delivery.ts'
import { NotAllowed } from './address-guard.ts'

/** How long a receiver has to answer. */
export const answerMs = 10_000
/** How long it has for the text of its answer, which only its log needs, and how much of it is kept. */
const textMs = 1000
const textBytes = 1024

/** What came back, for the decision and for the log. */
export interface Received extends Answer {
  error: string | null
  response: string | null
  durationMs: number
}

/**
 * Posts a body and waits for the status of the answer, ten seconds at most. Redirects are not
 * followed, and no more than a kilobyte of the answer is read. Never throws: what went wrong is
 * in `error`.
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
    const reason = timeout.aborted ? `No answer in ${answerMs / 1000} seconds.` : reasonOf(error)
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

/** The beginning of an answer's text, as far as it comes within a second; the connection ends with it. */
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
    // The status came, and that is what counts.
  }
  clearTimeout(late)
  answer.destroy()
  const text = Buffer.concat(chunks).subarray(0, textBytes).toString('utf8')
  // PostgreSQL keeps no NUL.
  return text.replaceAll('\0', '').toWellFormed()
}

/** Why no answer came, without what our side of the network looks like. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof NotAllowed || message.includes('is not allowed')) {
    return new NotAllowed().message
  }
  return (code ?? message).slice(0, 200)
}
