import type { Bank } from '../../_kernel/bank.ts'
import { isSimulating } from '../../_kernel/other-banks.ts'
import { channels, type Channel } from '../domain/channel.ts'
import type { Transport } from '../domain/transport.ts'
import { httpTransport } from './http-provider.ts'
import { inbox, simulator } from './inbox.ts'
import { smtpTransport } from './smtp.ts'

/** The delivery providers of an environment, by channel. */
export interface Carriers {
  /** The provider that takes new messages of the channel; null where none is configured. */
  of(channel: Channel): Transport | null
  /** The provider that accepted a message; null where it is no longer configured. */
  named(provider: string | null, channel: Channel): Transport | null
  /** The channels that messages can be sent over. */
  configured: readonly Channel[]
}

const known = new WeakMap<Bank, Carriers>()

/** The delivery providers of an environment, set up once. */
export function carriersOf(bank: Bank): Carriers {
  const carriers = known.get(bank) ?? setUp(bank)
  known.set(bank, carriers)
  return carriers
}

/** Only the sandbox simulates the providers that its settings do not name. */
function setUp(bank: Bank): Carriers {
  const { smtpUrl, smsProvider, pushProvider } = bank.config
  const fallback = isSimulating(bank) ? simulator : null
  const providers: Record<Channel, Transport | null> = {
    email: smtpUrl === null ? fallback : smtpTransport(smtpUrl),
    sms: smsProvider === null ? fallback : httpTransport('sms-http', smsProvider),
    push: pushProvider === null ? fallback : httpTransport('push-http', pushProvider),
    'secure-message': inbox,
  }
  return {
    of: (channel) => providers[channel],
    named(provider, channel) {
      const current = providers[channel]
      return current?.name === provider ? current : channel === 'secure-message' ? inbox : fallback
    },
    configured: channels.filter((channel) => providers[channel] !== null),
  }
}
