import type { Context } from '../../../kernel/environment/context.ts'
import { PartyContactsDocument } from '../queries.generated.ts'
import type { Channel } from '../model/channel.ts'
import type { Notification } from '../model/notification.ts'

/** The address and the name of a message's recipient. */
export interface Contact {
  address: string
  displayName: string
}

/** Returns a party's verified contact for a channel; null if there is none. */
export type FindContact = (partyId: string, channel: Channel) => Contact | null

/** Queries the graph for the verified addresses of all parties in a batch. */
export async function readContacts(
  { bank }: Context,
  batch: readonly Notification[],
): Promise<FindContact> {
  const partyIds = [...new Set(batch.map(({ partyId }) => partyId))]
  if (partyIds.length === 0) return () => null
  const { partyContacts } = await bank.queryGraph(PartyContactsDocument, { partyIds })
  const contacts = new Map<string, Contact>()
  for (const { partyId, displayName, contactPoints } of partyContacts!) {
    for (const { channel, address, verified } of contactPoints) {
      if (verified) contacts.set(`${partyId} ${channelNameOf(channel)}`, { address, displayName })
    }
  }
  return (partyId, channel) => contacts.get(`${partyId} ${channel}`) ?? null
}

/** Converts a GraphQL enum value to the channel's name, such as `secure-message`. */
const channelNameOf = (name: string) => name.toLowerCase().replaceAll('_', '-')
