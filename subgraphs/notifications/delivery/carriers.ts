import type { Bank } from '../../_kernel/bank.ts'
import type { Channel } from '../domain/channel.ts'
import type { Transport } from '../domain/transport.ts'
import { mailbox } from './mailbox.ts'
import { smtpTransport } from './smtp.ts'

/** Selects delivery providers: SMTP for email if configured, otherwise the local mailbox. */
export interface Carriers {
  of(channel: Channel): Transport
  /** The provider that accepted a message, or the mailbox if it is no longer configured. */
  named(provider: string | null): Transport
}

const known = new WeakMap<Bank, Carriers>()

/** The delivery providers of an environment, set up once. */
export function carriersOf(bank: Bank): Carriers {
  const carriers = known.get(bank) ?? setUp(bank)
  known.set(bank, carriers)
  return carriers
}

function setUp({ config }: Bank): Carriers {
  const smtp = config.smtpUrl === null ? null : smtpTransport(config.smtpUrl)
  return {
    of: (channel) => (channel === 'email' && smtp ? smtp : mailbox),
    named: (provider) => (smtp && provider === smtp.name ? smtp : mailbox),
  }
}
