import { ProfileStatus, ProfileRequirement } from '../model/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { requireBank, requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import * as domain from '../domain/routing-profile.ts'
import { createProfile, updateProfile } from '../commands/setup.ts'
import { bankChangeOf, transitionResolver } from '../../../kernel/graph/transitions.ts'
import { loadMissing, profileKind, profileTable, usersOf } from '../store/setup.ts'
import { RoutingProfile, RoutingProfileConnection } from '../model/profile.ts'
import { CreateRoutingProfileInput, UpdateRoutingProfileInput } from '../model/profile-inputs.ts'

@Resolver(() => RoutingProfile)
export class RoutingProfileResolver {
  @Requires('routing:read')
  @Query(() => RoutingProfile, { description: 'Returns a routing profile.' })
  async routingProfile(
    @Arg('routingProfileId', () => ID, { description: 'The ID of the routing profile.' })
    routingProfileId: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const found = await profileTable.load(context, routingProfileId)
    return requireFound(found, 'ROUTING_PROFILE_NOT_FOUND', routingProfileId)
  }

  @Requires('routing:read')
  @Query(() => RoutingProfileConnection, { description: 'Returns routing profiles, oldest first.' })
  routingProfiles(
    @Arg('status', () => ProfileStatus, {
      nullable: true,
      description: 'Returns only routing profiles with this status.',
    })
    status: ProfileStatus | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.RoutingProfile>> {
    requireBank(context)
    const filter = status ? { status } : {}
    return readPage(
      context,
      'routingProfiles',
      filter,
      { first, after },
      (from, take) => profileTable.list(context, filter, from, take),
      profileTable.sortKey,
    )
  }

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, { description: 'Creates a routing profile.' })
  createRoutingProfile(
    @Arg('input', () => CreateRoutingProfileInput, {
      description: 'The routing profile to create.',
    })
    input: CreateRoutingProfileInput,
    @Ctx() context: Context,
  ): Promise<domain.RoutingProfile> {
    requireBank(context)
    return createProfile(context, input)
  }

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, {
    description: 'Replaces the configuration of a routing profile that is not archived.',
  })
  updateRoutingProfile(
    @Arg('input', () => UpdateRoutingProfileInput, {
      description: 'The new configuration of the routing profile.',
    })
    input: UpdateRoutingProfileInput,
    @Ctx() context: Context,
  ): Promise<domain.RoutingProfile> {
    requireBank(context)
    return updateProfile(context, input)
  }

  @FieldResolver(() => [ProfileRequirement], {
    description:
      'What must be supplied before work is routed to agents through the routing profile; empty ' +
      'if nothing is missing, and when the profile is archived.',
  })
  async missing(
    @Root() profile: domain.RoutingProfile,
    @Ctx() context: Context,
  ): Promise<ProfileRequirement[]> {
    return (await loadMissing(context, profile))!
  }

  @FieldResolver(() => RoutingProfile, {
    nullable: true,
    description:
      'The routing profile to try if this one cannot take the work; null if there is none.',
  })
  fallbackProfile(@Root() { fallbackProfileId }: domain.RoutingProfile, @Ctx() context: Context) {
    return fallbackProfileId === null ? null : profileTable.load(context, fallbackProfileId)
  }
}

export const RoutingProfileTransitions = transitionResolver(
  RoutingProfile,
  bankChangeOf(profileKind),
  {
    activateRoutingProfile: {
      description: 'Activates a draft or inactive routing profile.',
      scope: 'routing:write',
      event: 'channels.routing-profile.activated',
      decide: (before) => domain.transitionProfile(before, 'active'),
    },
    deactivateRoutingProfile: {
      description: 'Suspends an active routing profile.',
      scope: 'routing:write',
      event: 'channels.routing-profile.deactivated',
      decide: (before) => domain.transitionProfile(before, 'inactive'),
    },
    archiveRoutingProfile: {
      description:
        'Archives an inactive routing profile. Rejected while agents use the profile or another ' +
        'profile falls back to it.',
      scope: 'routing:write',
      event: 'channels.routing-profile.archived',
      decide: async (before, { context }) =>
        domain.archiveProfile(before, await usersOf(context, before.routingProfileId)),
    },
  },
)
