import { BankProblem, ConnectionFailure } from './problem.ts'

const firstDelayMs = 500
const maxDelayMs = 30_000

/** Whether the same request can succeed later, so that it is sent again. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof BankProblem)) return true
  return error.isRetryable || error.status === 429 || error.status >= 500
}

/** Returns how long to wait before the attempt that follows attempt `number`, in milliseconds. */
export function delayAfter(number: number, error: unknown): number {
  const requested = error instanceof BankProblem ? error.retryAfterSeconds : null
  if (requested !== null) return requested * 1000
  const ceiling = Math.min(firstDelayMs * 2 ** (number - 1), maxDelayMs)
  // Half of the delay is random, so that clients that failed together do not return together.
  return ceiling / 2 + (Math.random() * ceiling) / 2
}

/** Waits. Throws the reason of the signal when it is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Repeats `send` until it succeeds, is rejected for good, or was tried `maxRetries` times more.
 * Throws a `BankProblem`, or a `ConnectionFailure` if the last attempt got no response.
 */
export async function withRetries<Result>(
  send: (number: number) => Promise<Result>,
  maxRetries: number,
  idempotencyKey: string | null,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await send(number)
    } catch (error) {
      signal?.throwIfAborted()
      if (number > maxRetries || !isWorthRetrying(error)) {
        if (error instanceof BankProblem) throw error
        throw new ConnectionFailure(number, idempotencyKey, error)
      }
      await wait(delayAfter(number, error), signal)
    }
  }
}
