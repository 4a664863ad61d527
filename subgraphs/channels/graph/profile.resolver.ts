import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { requireBank, requireFound, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { changeRecord } from '../../_kernel/records.ts'
import * as domain from '../domain/routing-profile.ts'
import type { ProfileEvent } from '../events.ts'
import { createProfile, updateProfile } from '../setup-commands.ts'
import { profileKind, profileTable, usersOf } from '../store/setup.ts'
import {
  CreateRoutingProfileInput,
  ProfileStatusEnum,
  RoutingProfile,
  RoutingProfileConnection,
  UpdateRoutingProfileInput,
} from './profile.types.ts'

@Resolver(() => RoutingProfile)
export class RoutingProfileResolver {
  @Requires('routing:read')
  @Query(() => RoutingProfile, { description: 'One routing profile.' })
  async routingProfile(
    @Arg('routingProfileId', () => ID) routingProfileId: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const found = await profileTable.load(context, routingProfileId)
    return requireFound(found, 'ROUTING_PROFILE_NOT_FOUND', routingProfileId)
  }

  @Requires('routing:read')
  @Query(() => RoutingProfileConnection, { description: 'Routing profiles, the oldest first.' })
  routingProfiles(
    @Arg('status', () => ProfileStatusEnum, { nullable: true }) status: domain.ProfileStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
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
  @Mutation(() => RoutingProfile, { description: 'Makes a routing profile.' })
  createRoutingProfile(
    @Arg('input', () => CreateRoutingProfileInput) input: CreateRoutingProfileInput,
    @Ctx() context: Context,
  ): Promise<domain.RoutingProfile> {
    requireBank(context)
    return createProfile(context, input)
  }

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, { description: 'Gives a routing profile another content.' })
  updateRoutingProfile(
    @Arg('input', () => UpdateRoutingProfileInput) input: UpdateRoutingProfileInput,
    @Ctx() context: Context,
  ): Promise<domain.RoutingProfile> {
    requireBank(context)
    return updateProfile(context, input)
  }

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, { description: 'Puts a routing profile in force.' })
  activateRoutingProfile(
    @Arg('routingProfileId', () => ID) routingProfileId: string,
    @Ctx() context: Context,
  ) {
    const event = 'channels.routing-profile.activated'
    return moved(context, 'activateRoutingProfile', routingProfileId, event, 'active')
  }

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, { description: 'Takes a routing profile out of force.' })
  deactivateRoutingProfile(
    @Arg('routingProfileId', () => ID) routingProfileId: string,
    @Ctx() context: Context,
  ) {
    const event = 'channels.routing-profile.deactivated'
    return moved(context, 'deactivateRoutingProfile', routingProfileId, event, 'inactive')
  }

  @Requires('routing:write')
  @Mutation(() => RoutingProfile, { description: 'Puts away a profile that nobody relies on.' })
  archiveRoutingProfile(
    @Arg('routingProfileId', () => ID) routingProfileId: string,
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

  @FieldResolver(() => RoutingProfile, { nullable: true })
  fallbackProfile(@Root() { fallbackProfileId }: domain.RoutingProfile, @Ctx() context: Context) {
    return fallbackProfileId === null ? null : profileTable.load(context, fallbackProfileId)
  }
}

function moved(
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
    (profile) => ({ record: domain.moveProfile(profile, to) }),
  )
}
