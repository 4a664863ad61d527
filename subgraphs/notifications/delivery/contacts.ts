import type { Context } from '../../_kernel/context.ts'
import { PartyContactsDocument } from '../asks.generated.ts'
import type { Channel } from '../domain/channel.ts'
import type { Notification } from '../domain/notification.ts'

/** The recipient of a message. */
export interface Contact {
  address: string
  displayName: string
}

export type FindContact = (partyId: string, channel: Channel) => Contact | null

/** Queries the graph for the verified addresses of all parties of a batch. */
export async function askContacts(
  { bank }: Context,
  batch: readonly Notification[],
): Promise<FindContact> {
  const partyIds = [...new Set(batch.map(({ partyId }) => partyId))]
  if (partyIds.length === 0) return () => null
  const { partyContacts } = await bank.ask(PartyContactsDocument, { partyIds })
  const contacts = new Map<string, Contact>()
  for (const { partyId, displayName, contactPoints } of partyContacts!) {
    for (const { channel, address, verified } of contactPoints) {
      if (verified) contacts.set(`${partyId} ${wireChannel(channel)}`, { address, displayName })
    }
  }
  return (partyId, channel) => contacts.get(`${partyId} ${channel}`) ?? null
}

/** The graph's spelling of an enum value. */
const wireChannel = (name: string) => name.toLowerCase().replaceAll('_', '-')
