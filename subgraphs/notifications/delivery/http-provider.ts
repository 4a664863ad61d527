import { realNow } from '../../_kernel/clock.ts'
import type { MessageProviderConfig } from '../../_kernel/delivery-config.ts'
import { signedHeaders } from '../../_kernel/webhook-signature.ts'
import type { Message, Outcome, Transport } from '../domain/transport.ts'
import { sendInParallel } from './send-in-parallel.ts'

const connections = 5
const answerMs = 5000
/** Statuses that refuse this message for good; every other failure may be the provider's or ours. */
const finalStatuses = new Set([400, 410, 413, 422])

/**
 * Sends messages through an HTTP provider: one signed POST for each message, with the headers of
 * Standard Webhooks and the notification's id as `webhook-id`, so that the provider recognizes a
 * message it receives twice. A 2xx answer means that the provider took the message; whether it was
 * delivered is reported with `recordDeliveryReport`. 400, 410, 413 and 422 are final, everything
 * else is tried again.
 */
export function httpTransport(name: string, { url, secret }: MessageProviderConfig): Transport {
  const sendOne = async (message: Message): Promise<Outcome> => {
    const { notificationId, channel, address, body } = message
    const payload = JSON.stringify({ notificationId, channel, to: address, body })
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // Receivers compare the timestamp with real time, whatever the bank's clock says.
          ...signedHeaders([secret], notificationId, realNow(), payload),
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.timeout(answerMs),
      })
      await answer.body?.cancel()
      return { notificationId, ...outcomeOf(answer.status) }
    } catch (error) {
      const isLate = (error as Error).name === 'TimeoutError'
      return { notificationId, result: 'deferred', reason: isLate ? 'http-timeout' : 'http-error' }
    }
  }
  return {
    name,
    delivers: false,
    isStored: false,
    send: (messages) => sendInParallel(messages, connections, sendOne),
  }
}

/** The reason is the status: a provider's own words may repeat the address. */
function outcomeOf(status: number): Omit<Outcome, 'notificationId'> {
  if (status >= 200 && status < 300) return { result: 'handed-over', reason: null }
  return { result: finalStatuses.has(status) ? 'refused' : 'deferred', reason: `http-${status}` }
}
