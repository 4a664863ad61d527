import type { Bank } from '../../../kernel/environment/bank.ts'
import { isSimulating } from '../../../kernel/environment/other-banks.ts'
import { Channel } from '../model/channel.ts'
import type { Transport } from '../domain/transport.ts'
import { httpTransport } from './http-provider.ts'
import { inbox, simulator } from './inbox.ts'
import { smtpTransport } from './smtp.ts'

/** The delivery providers of an environment, by channel. */
export interface DeliveryProviders {
  /** Returns the provider for new messages of the channel; null if none is configured. */
  of(channel: Channel): Transport | null
  /**
   * Returns the provider that accepted a message, by its name; null if it is no longer configured.
   * In the sandbox, the simulator then takes its place.
   */
  named(provider: string | null, channel: Channel): Transport | null
  /** The Channel.values that have a provider. */
  configured: readonly Channel[]
}

interface OpenProviders {
  settings: readonly unknown[]
  providers: DeliveryProviders
}

const openByBank = new WeakMap<Bank, OpenProviders>()

/**
 * Returns the delivery providers of an environment. They are created again if their settings change;
 * what is being sent is still sent with the former ones.
 */
export function deliveryProvidersOf(bank: Bank): DeliveryProviders {
  const { smtpUrl, smsProvider, pushProvider } = bank.config
  const settings = [smtpUrl, smsProvider, pushProvider]
  const open = openByBank.get(bank)
  if (open && settings.every((each, index) => each === open.settings[index])) return open.providers
  const providers = createProviders(bank)
  openByBank.set(bank, { settings, providers })
  return providers
}

/**
 * Creates the providers from the settings. Only the sandbox simulates a channel whose provider is
 * not configured.
 */
function createProviders(bank: Bank): DeliveryProviders {
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
    configured: Channel.values.filter((channel) => providers[channel] !== null),
  }
}
