import { realNow } from '../../../kernel/work/clock.ts'
import type { MessageProviderConfig } from '../../../kernel/environment/provider-config.ts'
import { signedHeaders } from '../../../kernel/events/webhook-signature.ts'
import type { Message, Outcome, Transport } from '../domain/transport.ts'
import { sendInParallel } from './send-in-parallel.ts'

const maxConnections = 5
const responseTimeoutMs = 5000
/**
 * HTTP statuses that reject a message permanently. After any other error the message is retried,
 * because the cause may be temporary or a wrong setting.
 */
const finalStatuses = new Set([400, 410, 413, 422])

/**
 * Returns a provider that sends messages over HTTP: one signed POST per message, with the headers
 * of Standard Webhooks. Its `webhook-id` is the notification ID, so that the provider can recognize
 * a message that it receives twice. A 2xx response means that the provider accepted the message;
 * the provider reports its delivery with `recordDeliveryReport`. 400, 410, 413 and 422 are final;
 * all other errors are retried.
 */
export function httpTransport(name: string, { url, secret }: MessageProviderConfig): Transport {
  const sendOne = async (message: Message): Promise<Outcome> => {
    const { notificationId, channel, address, body } = message
    const payload = JSON.stringify({ notificationId, channel, to: address, body })
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // Receivers compare the timestamp with real time, not with the bank's clock.
          ...signedHeaders([secret], notificationId, realNow(), payload),
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.timeout(responseTimeoutMs),
      })
      await response.body?.cancel()
      return { notificationId, ...outcomeOf(response.status) }
    } catch (error) {
      const isTimeout = (error as Error).name === 'TimeoutError'
      return {
        notificationId,
        result: 'deferred',
        reason: isTimeout ? 'http-timeout' : 'http-error',
      }
    }
  }
  return {
    name,
    delivers: false,
    isStored: false,
    send: (messages) => sendInParallel(messages, maxConnections, sendOne),
  }
}

/**
 * Returns the outcome for an HTTP status. The reason is the status, because the response body can
 * contain the recipient's address.
 */
function outcomeOf(status: number): Omit<Outcome, 'notificationId'> {
  if (status >= 200 && status < 300) return { result: 'handed-over', reason: null }
  return { result: finalStatuses.has(status) ? 'refused' : 'deferred', reason: `http-${status}` }
}
