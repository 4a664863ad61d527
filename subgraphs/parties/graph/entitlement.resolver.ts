import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { requireVisible, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import type { EntitlementRight } from '../../_kernel/domain/entitlement.ts'
import { parseAmount } from '../../_kernel/domain/money.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  filterResource,
  type Entitlement as Record,
  type EntitlementStatus,
} from '../domain/entitlement.ts'
import { explainEntitlement, grantEntitlement, revokeEntitlement } from '../entitlements.ts'
import {
  entitlementSortKey,
  listEntitlements,
  loadEntitlement,
  ownersOfEntitlement,
} from '../store/entitlement.ts'
import {
  Entitlement,
  EntitlementConnection,
  EntitlementExplanation,
  EntitlementRightEnum,
  EntitlementStatusEnum,
  GrantEntitlementInput,
} from './entitlement.types.ts'

@Resolver(() => Entitlement)
export class EntitlementResolver {
  @Requires('parties:read')
  @Query(() => Entitlement, { description: 'One entitlement.' })
  async entitlement(
    @Arg('entitlementId', () => ID) entitlementId: string,
    @Ctx() context: Context,
  ): Promise<Record> {
    const found = await loadEntitlement(context, entitlementId)
    const code = 'ENTITLEMENT_NOT_FOUND'
    return requireVisible(context, found, ownersOfEntitlement, code, entitlementId)
  }

  @Requires('parties:read')
  @Query(() => EntitlementConnection, {
    description: 'Entitlements in the order they were granted, by a party or to it.',
  })
  entitlements(
    @Arg('partyId', () => ID, { nullable: true }) partyId: string | null,
    @Arg('resource', () => String, { nullable: true }) resource: string | null,
    @Arg('status', () => EntitlementStatusEnum, { nullable: true })
    status: EntitlementStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Record>> {
    const filter = {
      partyId: partyId ?? null,
      resource: filterResource(resource),
      status: status ?? null,
    }
    return readPage(
      context,
      'entitlements',
      filter,
      { first, after },
      (from, take) => listEntitlements(context, filter, from, take),
      entitlementSortKey,
    )
  }

  @Requires('parties:read')
  @Query(() => EntitlementExplanation, {
    description: 'Whether a party may use an account or an agreement so, and which rule says it.',
  })
  explainEntitlement(
    @Arg('partyId', () => ID) partyId: string,
    @Arg('resource', () => String) resource: string,
    @Arg('right', () => EntitlementRightEnum) right: EntitlementRight,
    @Ctx() context: Context,
  ): Promise<EntitlementExplanation> {
    return explainEntitlement(context, partyId, resource, right)
  }

  @Requires('parties:write')
  @Mutation(() => Entitlement, {
    description: 'Lets a party use an account or an agreement of another, from now on.',
  })
  grantEntitlement(
    @Arg('input', () => GrantEntitlementInput) input: GrantEntitlementInput,
    @Ctx() context: Context,
  ): Promise<Record> {
    const { limit, validTo = null, ...asked } = input
    const money = limit && {
      amountMinor: parseAmount(limit.amount, limit.currency, '/limit/amount'),
      currency: limit.currency,
    }
    return grantEntitlement(context, { ...asked, limit: money ?? null, validTo })
  }

  @Requires('parties:write')
  @Mutation(() => Entitlement, { description: 'Takes an entitlement back, from this moment.' })
  revokeEntitlement(
    @Arg('entitlementId', () => ID) entitlementId: string,
    @Ctx() context: Context,
  ): Promise<Record> {
    return revokeEntitlement(context, entitlementId)
  }

  @FieldResolver(() => MoneyType, { nullable: true })
  limit(@Root() { limitMinor, limitCurrency }: Record): MoneyType | null {
    if (limitMinor === null) return null
    return moneyOut({ amountMinor: limitMinor, currency: limitCurrency! })
  }
}
