import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { requireBank, requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { changeRecord } from '../../../kernel/writing/records.ts'
import type { ProfileRequirement } from '../domain/profile-requirements.ts'
import * as domain from '../domain/routing-profile.ts'
import type { ProfileEvent } from '../events.ts'
import { createProfile, updateProfile } from '../commands/setup.ts'
import { loadMissing, profileKind, profileTable, usersOf } from '../store/setup.ts'
import {
  ProfileRequirementEnum,
  ProfileStatusEnum,
  RoutingProfile,
  RoutingProfileConnection,
} from './profile.types.ts'
import { CreateRoutingProfileInput, UpdateRoutingProfileInput } from './profile.inputs.ts'

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
    @Arg('status', () => ProfileStatusEnum, {
      nullable: true,
      description: 'Returns only routing profiles with this status.',
    })
    status: domain.ProfileStatus | null,
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

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, { description: 'Activates a draft or inactive routing profile.' })
  activateRoutingProfile(
    @Arg('routingProfileId', () => ID, { description: 'The ID of the routing profile.' })
    routingProfileId: string,
    @Ctx() context: Context,
  ) {
    const event = 'channels.routing-profile.activated'
    return changeProfileStatus(context, 'activateRoutingProfile', routingProfileId, event, 'active')
  }

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, { description: 'Suspends an active routing profile.' })
  deactivateRoutingProfile(
    @Arg('routingProfileId', () => ID, { description: 'The ID of the routing profile.' })
    routingProfileId: string,
    @Ctx() context: Context,
  ) {
    const event = 'channels.routing-profile.deactivated'
    return changeProfileStatus(
      context,
      'deactivateRoutingProfile',
      routingProfileId,
      event,
      'inactive',
    )
  }

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, {
    description:
      'Archives an inactive routing profile. Rejected while agents use the profile or another ' +
      'profile falls back to it.',
  })
  archiveRoutingProfile(
    @Arg('routingProfileId', () => ID, { description: 'The ID of the routing profile.' })
    routingProfileId: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const event = 'channels.routing-profile.archived'
    const operation = 'archiveRoutingProfile'
    const input = { routingProfileId }
    return changeRecord(
      context,
      profileKind,
      operation,
      input,
      routingProfileId,
      event,
      async (before) => ({
        record: domain.archiveProfile(before, await usersOf(context, routingProfileId)),
      }),
    )
  }

  @FieldResolver(() => [ProfileRequirementEnum], {
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

function changeProfileStatus(
  context: Context,
  operation: string,
  routingProfileId: string,
  event: ProfileEvent,
  to: domain.ProfileStatus,
): Promise<domain.RoutingProfile> {
  requireBank(context)
  const input = { routingProfileId }
  return changeRecord(
    context,
    profileKind,
    operation,
    input,
    routingProfileId,
    event,
    (profile) => ({ record: domain.transitionProfile(profile, to) }),
  )
}
