import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { requireBank, Requires, requireVisible } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import type * as domain from '../domain/oauth-client.ts'
import * as commands from '../oauth-client-commands.ts'
import { clientKind, clientTable } from '../store/oauth-client.ts'
import {
  ChangeOAuthClientInput,
  OAuthClient,
  OAuthClientConnection,
  OAuthClientWithSecret,
  RegisterOAuthClientInput,
} from './oauth-client.types.ts'

/** Programs that may call the bank. The environment's own client is not among them. */
@Resolver(() => OAuthClient)
export class OAuthClientResolver {
  @Requires('operations:read')
  @Query(() => OAuthClient, { description: 'One client.' })
  async oauthClient(
    @Arg('clientId', () => ID) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    requireBank(context)
    const found = await clientKind.find(context, clientId)
    return requireVisible(context, found, clientKind.ownersOf, clientKind.notFound, clientId)
  }

  @Requires('operations:read')
  @Query(() => OAuthClientConnection, {
    description: 'Clients in the order they were registered.',
  })
  oauthClients(
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.OAuthClient>> {
    requireBank(context)
    const read = (key: string[] | null, take: number) => clientTable.list(context, {}, key, take)
    return readPage(context, 'oauthClients', {}, { first, after }, read, clientTable.sortKey)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClientWithSecret, {
    description:
      'Registers a program that may call the bank. Its secret is shown here and never again. In live its rights wait for a second person (`approveOAuthClient`).',
  })
  registerOAuthClient(
    @Arg('input', () => RegisterOAuthClientInput) input: RegisterOAuthClientInput,
    @Ctx() context: Context,
  ): Promise<commands.WithSecret> {
    return commands.registerClient(context, input)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClientWithSecret, {
    description: 'Gives a client a new secret; the one before stays good for a while.',
  })
  rotateOAuthClientSecret(
    @Arg('clientId', () => ID) clientId: string,
    @Arg('overlapHours', () => Int, { nullable: true, description: '24 when absent; 0 to 168.' })
    overlapHours: number | null,
    @Ctx() context: Context,
  ): Promise<commands.WithSecret> {
    return commands.rotateSecret(context, { clientId, overlapHours })
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description:
      'Changes the label or the rights of a client. In live, more rights than before wait for a second person (`approveOAuthClient`).',
  })
  changeOAuthClient(
    @Arg('input', () => ChangeOAuthClientInput) input: ChangeOAuthClientInput,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.changeClient(context, input)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description:
      'Approves the proposed rights of a client, as another person than proposed them; they are in force at once.',
  })
  approveOAuthClient(
    @Arg('clientId', () => ID) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.approveClient(context, clientId)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description: 'Rejects the proposed rights of a client; what it may do stays as it is.',
  })
  rejectOAuthClient(
    @Arg('clientId', () => ID) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.rejectClient(context, clientId)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description: 'Ends what a client may do, at once and everywhere: its tokens are void.',
  })
  disableOAuthClient(
    @Arg('clientId', () => ID) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.disableClient(context, clientId)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, { description: 'Lets a client in again, with the secret it had.' })
  enableOAuthClient(
    @Arg('clientId', () => ID) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.enableClient(context, clientId)
  }
}

@Resolver(() => OAuthClientWithSecret)
export class OAuthClientWithSecretResolver {
  @FieldResolver(() => String, { description: 'Keep it: nobody can show it again.' })
  secret(@Root() made: commands.WithSecret, @Ctx() context: Context): string {
    return commands.openSecret(context, made)
  }
}
