import { requireFound } from '../../../kernel/authorization/auth.ts'
import { object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import { createProfile, updateProfile } from '../commands/setup.ts'
import { requireUnused } from '../domain/routing-profile.ts'
import { ProfileRequirement, ProfileStatus } from '../model/enumerations.ts'
import { CreateRoutingProfileInput, UpdateRoutingProfileInput } from '../model/profile-inputs.ts'
import { profileStates, RoutingProfile } from '../model/profile.ts'
import { loadMissing, profileKind, profileTable, usersOf } from '../store/setup.ts'

export const RoutingProfileOperations = resolverOf({
  queries: {
    routingProfile: lookup(RoutingProfile, {
      description: 'Returns a routing profile.',
      scope: 'routing:read',
      isForBankOnly: true,
      find: async (context, id) =>
        requireFound(await profileTable.load(context, id), 'ROUTING_PROFILE_NOT_FOUND', id),
    }),
    routingProfiles: listing(RoutingProfile, {
      description: 'Returns routing profiles, oldest first.',
      scope: 'routing:read',
      isForBankOnly: true,
      filters: {
        status: oneOf(ProfileStatus, 'Returns only routing profiles with this status.').orNull(),
      },
      ...profileTable,
    }),
  },
  mutations: {
    createRoutingProfile: operation({
      description: 'Creates a routing profile.',
      scope: 'routing:write',
      isForBankOnly: true,
      returns: RoutingProfile,
      args: { input: object(CreateRoutingProfileInput, 'The routing profile to create.') },
      resolve: (context, { input }) => createProfile(context, input),
    }),
    updateRoutingProfile: operation({
      description: 'Replaces the configuration of a routing profile that is not archived.',
      scope: 'routing:write',
      isForBankOnly: true,
      returns: RoutingProfile,
      args: {
        input: object(UpdateRoutingProfileInput, 'The new configuration of the routing profile.'),
      },
      resolve: (context, { input }) => updateProfile(context, input),
    }),
    ...transitionsOf(profileStates, changeOf(profileKind), {
      async archiveRoutingProfile(archived, { context, before }) {
        requireUnused(before, await usersOf(context, before.routingProfileId))
        return archived
      },
    }),
  },
})

@Resolver(() => RoutingProfile)
export class RoutingProfileResolver {
  @FieldResolver(() => [ProfileRequirement], {
    description:
      'What must be supplied before work is routed to agents through the routing profile; empty ' +
      'if nothing is missing, and when the profile is archived.',
  })
  async missing(
    @Root() profile: RoutingProfile,
    @Ctx() context: Context,
  ): Promise<ProfileRequirement[]> {
    return (await loadMissing(context, profile))!
  }

  @FieldResolver(() => RoutingProfile, {
    nullable: true,
    description:
      'The routing profile to try if this one cannot take the work; null if there is none.',
  })
  fallbackProfile(@Root() { fallbackProfileId }: RoutingProfile, @Ctx() context: Context) {
    return fallbackProfileId === null ? null : profileTable.load(context, fallbackProfileId)
  }
}
