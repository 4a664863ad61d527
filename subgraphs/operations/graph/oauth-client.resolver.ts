import { requireVisible } from '../../../kernel/authorization/auth.ts'
import { reviewedProposal } from '../../../kernel/authorization/reviewed-proposal.ts'
import { id, integer, jsonObject, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { openSecret, type WithSecret } from '../commands/client-secret.ts'
import * as commands from '../commands/oauth-client.ts'
import { registerClient } from '../commands/register-client.ts'
import type * as domain from '../domain/oauth-client.ts'
import {
  ChangeOAuthClientInput,
  OAuthClient,
  OAuthClientWithSecret,
  RegisterOAuthClientInput,
} from '../model/oauth-client.ts'
import { clientKind, clientTable } from '../store/oauth-client.ts'

const clientKey = { clientId: id('The ID of the client.') }

/** Returns a mutation that changes a client, which the ID alone identifies. */
const change = (
  description: string,
  command: (context: Context, clientId: string) => Promise<domain.OAuthClient>,
  needsPerson: boolean,
) =>
  operation({
    description,
    scope: 'clients:manage',
    needsPerson,
    returns: OAuthClient,
    args: clientKey,
    resolve: (context, { clientId }) => command(context, clientId),
  })

/** Operations on registered OAuth clients. The environment's built-in clients are excluded. */
export const OAuthClientOperations = resolverOf({
  queries: {
    oauthClient: operation({
      description: 'Returns one OAuth client.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: OAuthClient,
      args: clientKey,
      async resolve(context, { clientId }) {
        const found = await clientKind.find(context, clientId)
        return requireVisible(context, found, clientKind.ownersOf, clientKind.notFound, clientId)
      },
    }),
    oauthClients: listing(OAuthClient, {
      description: 'Returns OAuth clients in order of registration.',
      scope: 'operations:read',
      isForBankOnly: true,
      ...clientTable,
    }),
  },
  mutations: {
    registerOAuthClient: operation({
      description:
        'Registers an OAuth client. The response contains its secret, which is returned only ' +
        'once. In the live environment, its rights take effect after a second person approves ' +
        'them with `approveOAuthClient`.',
      scope: 'clients:manage',
      needsPerson: true,
      returns: OAuthClientWithSecret,
      args: { input: object(RegisterOAuthClientInput, 'The client to register.') },
      resolve: (context, { input }) => registerClient(context, input),
    }),
    rotateOAuthClientSecret: operation({
      description:
        'Replaces the secret of an OAuth client. The previous secret remains valid during the ' +
        'overlap. The response contains the new secret, which is returned only once.',
      scope: 'clients:manage',
      needsPerson: true,
      returns: OAuthClientWithSecret,
      args: {
        ...clientKey,
        overlapHours: integer(
          'How long the previous secret remains valid, in hours, from 0 to 168. Defaults to 24.',
        ).orNull(),
      },
      resolve: (context, input) => commands.rotateSecret(context, input),
    }),
    replaceOAuthClientKeys: operation({
      description:
        'Replaces the public keys of an OAuth client that authenticates with its private key, or ' +
        'the certificates of one that authenticates with them, and revokes its tokens. Only the ' +
        'owner of the client can replace them.',
      scope: 'clients:manage',
      needsPerson: true,
      returns: OAuthClient,
      args: {
        ...clientKey,
        jwks: jsonObject(
          'The new public keys, as a JSON Web Key Set (RFC 7517) with 1 to 10 keys, or certificates ' +
            'in their members `x5c`. To rotate a key without an interruption, first send the old ' +
            'and the new key.',
        ),
      },
      resolve: (context, input) => commands.replaceKeys(context, input),
    }),
    changeOAuthClient: operation({
      description:
        'Changes the label, the URIs or the rights of an OAuth client. In the live environment, ' +
        'the changes take effect after a second person approves them with `approveOAuthClient`, ' +
        'unless they only remove rights.',
      scope: 'clients:manage',
      needsPerson: true,
      returns: OAuthClient,
      args: { input: object(ChangeOAuthClientInput, 'The changes to make.') },
      resolve: (context, { input }) => commands.changeClient(context, input),
    }),
    approveOAuthClient: operation({
      description:
        'Approves the proposed rights of an OAuth client, effective immediately. The person who ' +
        'proposed the rights cannot approve them.',
      scope: 'clients:manage',
      needsPerson: true,
      returns: OAuthClient,
      args: { ...clientKey, ...reviewedProposal },
      resolve: (context, input) => commands.approveClient(context, input),
    }),
    rejectOAuthClient: change(
      'Rejects the proposed rights of an OAuth client. Its current rights do not change.',
      commands.rejectClient,
      true,
    ),
    disableOAuthClient: change(
      'Disables an OAuth client and revokes all its tokens, effective immediately.',
      commands.disableClient,
      false,
    ),
    enableOAuthClient: change(
      'Enables a disabled OAuth client, which keeps its secret.',
      commands.enableClient,
      true,
    ),
  },
})

@Resolver(() => OAuthClientWithSecret)
export class OAuthClientWithSecretResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The client secret. Store it safely: it cannot be retrieved again. null if the client does ' +
      'not authenticate with a secret.',
  })
  secret(@Root() clientWithSecret: WithSecret, @Ctx() context: Context): string | null {
    return openSecret(context, clientWithSecret)
  }
}
