import type { Bank } from '../../_kernel/bank.ts'
import type { Channel } from '../domain/channel.ts'
import type { Transport } from '../domain/transport.ts'
import { mailbox } from './mailbox.ts'
import { smtpTransport } from './smtp.ts'

/** Who carries what: e-mail goes over SMTP where the bank has it, everything else into the mailbox. */
export interface Carriers {
  of(channel: Channel): Transport
  /** The carrier that accepted a message; the mailbox where it is not set up any more. */
  named(provider: string | null): Transport
}

const known = new WeakMap<Bank, Carriers>()

/** The carriers of an environment, set up once. */
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
