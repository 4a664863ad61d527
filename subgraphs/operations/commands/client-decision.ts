import { principalSubject } from '../../../kernel/authorization/principals.ts'
import type { Decision } from '../../../kernel/writing/command.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { factOf, type OAuthClient } from '../domain/oauth-client.ts'
import type { ClientEvent } from '../events.ts'
import { clientKind } from '../store/oauth-client.ts'

/**
 * Returns the `Decision` of a command that saves and publishes a client. The event contains no
 * secret; the fact for the authorization server contains the hashes.
 */
export function clientDecision<Result>(
  client: OAuthClient,
  eventType: ClientEvent,
  result: Result,
  writes: Write[],
): Decision<Result> {
  const { events } = publicationOf(clientKind, client, eventType)
  const { clientId, owner, actsFor } = client
  const facts = [
    { subject: `${clientKind.entity}/${clientId}`, data: factOf(client) },
    { subject: principalSubject(clientId), data: { owner, actsFor } },
  ]
  return { result, resourceId: client.clientId, writes, events, facts }
}
