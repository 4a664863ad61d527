import type { Transporter } from 'nodemailer'
import type { Message, Outcome, Transport } from '../domain/transport.ts'
import { sendInParallel } from './send-in-parallel.ts'

const maxConnections = 5
const handshakeTimeoutMs = 5000
const idleTimeoutMs = 10_000

/**
 * Returns a provider that sends email over SMTP, configured as
 * `smtp[s]://user:password@host:port?from=bank@example.com`. A message counts as sent when the
 * server accepts it; delivery is not confirmed. Rejections (5xx) are final; all other errors are
 * retried. The Message-ID contains the notification ID, so that recipients can recognize a message
 * that is sent twice after a crash.
 */
export function smtpTransport(smtpUrl: string): Transport {
  const url = new URL(smtpUrl)
  const from = senderOf(url)
  const domain = from.slice(from.lastIndexOf('@') + 1)
  url.searchParams.delete('from')
  const options = {
    url: url.href,
    pool: true,
    maxConnections,
    // Nodemailer must not retry: the worker retries and records each attempt.
    maxRequeues: 0,
    connectionTimeout: handshakeTimeoutMs,
    greetingTimeout: handshakeTimeoutMs,
    socketTimeout: idleTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  let opened: Promise<Transporter> | null = null
  // Loaded on first use, because only processes that send email need the library.
  const open = async () => (await import('nodemailer')).createTransport(options)
  const sendOne = async (message: Message): Promise<Outcome> => {
    const { notificationId, displayName, address, subject, body } = message
    try {
      const mailer = await (opened ??= open())
      await mailer.sendMail({
        from,
        to: { name: displayName, address },
        messageId: `<${notificationId}@${domain}>`,
        subject: subject ?? '',
        html: body,
      })
      return { notificationId, result: 'handed-over', reason: null }
    } catch (error) {
      return { notificationId, ...outcomeOf(error as SmtpError) }
    }
  }
  return {
    name: 'smtp',
    delivers: false,
    isStored: false,
    send: (messages) => sendInParallel(messages, maxConnections, sendOne),
  }
}

interface SmtpError {
  code?: string
  responseCode?: number
}

/**
 * Returns the outcome of an SMTP error. The reason is a code, because the server's message can
 * contain the recipient's address.
 */
function outcomeOf({ code, responseCode }: SmtpError): Omit<Outcome, 'notificationId'> {
  // Rejected credentials are a configuration error, not a reason to fail the message.
  const isFinal = code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500
  const reason = responseCode ? `smtp-${responseCode}` : `smtp-${(code ?? 'error').toLowerCase()}`
  return { result: isFinal ? 'refused' : 'deferred', reason }
}

function senderOf(url: URL): string {
  const user = decodeURIComponent(url.username)
  return url.searchParams.get('from') ?? (user.includes('@') ? user : `no-reply@${url.hostname}`)
}
