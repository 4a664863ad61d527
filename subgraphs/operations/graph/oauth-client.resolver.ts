import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { requireBank, Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import type * as domain from '../domain/oauth-client.ts'
import * as commands from '../commands/oauth-client.ts'
import { clientKind, clientTable } from '../store/oauth-client.ts'
import {
  ChangeOAuthClientInput,
  OAuthClient,
  OAuthClientConnection,
  OAuthClientWithSecret,
  RegisterOAuthClientInput,
} from '../model/oauth-client.ts'

/** Operations on registered OAuth clients. The environment's built-in clients are excluded. */
@Resolver(() => OAuthClient)
export class OAuthClientResolver {
  @Requires('operations:read')
  @Query(() => OAuthClient, { description: 'Returns one OAuth client.' })
  async oauthClient(
    @Arg('clientId', () => ID, { description: 'The ID of the client.' }) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    requireBank(context)
    const found = await clientKind.find(context, clientId)
    return requireVisible(context, found, clientKind.ownersOf, clientKind.notFound, clientId)
  }

  @Requires('operations:read')
  @Query(() => OAuthClientConnection, {
    description: 'Returns OAuth clients in order of registration.',
  })
  oauthClients(
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.OAuthClient>> {
    requireBank(context)
    const read = (key: string[] | null, take: number) => clientTable.list(context, {}, key, take)
    return readPage(context, 'oauthClients', {}, { first, after }, read, clientTable.sortKey)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClientWithSecret, {
    description:
      'Registers an OAuth client. The response contains its secret, which is returned only ' +
      'once. In the live environment, its rights take effect after a second person approves ' +
      'them with `approveOAuthClient`.',
  })
  registerOAuthClient(
    @Arg('input', () => RegisterOAuthClientInput, { description: 'The client to register.' })
    input: RegisterOAuthClientInput,
    @Ctx() context: Context,
  ): Promise<commands.WithSecret> {
    return commands.registerClient(context, input)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClientWithSecret, {
    description:
      'Replaces the secret of an OAuth client. The previous secret remains valid during the ' +
      'overlap. The response contains the new secret, which is returned only once.',
  })
  rotateOAuthClientSecret(
    @Arg('clientId', () => ID, { description: 'The ID of the client.' }) clientId: string,
    @Arg('overlapHours', () => Int, {
      nullable: true,
      description:
        'How long the previous secret remains valid, in hours, from 0 to 168. Defaults to 24.',
    })
    overlapHours: number | null,
    @Ctx() context: Context,
  ): Promise<commands.WithSecret> {
    return commands.rotateSecret(context, { clientId, overlapHours })
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description:
      'Changes the label or the rights of an OAuth client. In the live environment, ' +
      'additional rights take effect after a second person approves them with ' +
      '`approveOAuthClient`.',
  })
  changeOAuthClient(
    @Arg('input', () => ChangeOAuthClientInput, { description: 'The changes to make.' })
    input: ChangeOAuthClientInput,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.changeClient(context, input)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description:
      'Approves the proposed rights of an OAuth client, effective immediately. The person ' +
      'who proposed the rights cannot approve them.',
  })
  approveOAuthClient(
    @Arg('clientId', () => ID, { description: 'The ID of the client.' }) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.approveClient(context, clientId)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description:
      'Rejects the proposed rights of an OAuth client. Its current rights do not change.',
  })
  rejectOAuthClient(
    @Arg('clientId', () => ID, { description: 'The ID of the client.' }) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.rejectClient(context, clientId)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description: 'Disables an OAuth client and revokes all its tokens, effective immediately.',
  })
  disableOAuthClient(
    @Arg('clientId', () => ID, { description: 'The ID of the client.' }) clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.disableClient(context, clientId)
  }

  @Requires('clients:manage')
  @Mutation(() => OAuthClient, {
    description: 'Enables a disabled OAuth client, which keeps its secret.',
  })
  enableOAuthClient(
    @Arg('clientId', () => ID, { description: 'The ID of the disabled client.' })
    clientId: string,
    @Ctx() context: Context,
  ): Promise<domain.OAuthClient> {
    return commands.enableClient(context, clientId)
  }
}

@Resolver(() => OAuthClientWithSecret)
export class OAuthClientWithSecretResolver {
  @FieldResolver(() => String, {
    description: 'The client secret. Store it safely: it cannot be retrieved again.',
  })
  secret(@Root() clientWithSecret: commands.WithSecret, @Ctx() context: Context): string {
    return commands.openSecret(context, clientWithSecret)
  }
}
