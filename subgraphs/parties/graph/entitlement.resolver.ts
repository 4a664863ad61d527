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
  @Query(() => Entitlement, { description: 'Returns one entitlement.' })
  async entitlement(
    @Arg('entitlementId', () => ID, { description: 'The identifier of the entitlement.' })
    entitlementId: string,
    @Ctx() context: Context,
  ): Promise<Record> {
    const found = await loadEntitlement(context, entitlementId)
    const code = 'ENTITLEMENT_NOT_FOUND'
    return requireVisible(context, found, ownersOfEntitlement, code, entitlementId)
  }

  @Requires('parties:read')
  @Query(() => EntitlementConnection, {
    description:
      'Returns entitlements in the order in which they were granted. All filters must match.',
  })
  entitlements(
    @Arg('partyId', () => ID, {
      nullable: true,
      description: 'Only entitlements that this party granted or received.',
    })
    partyId: string | null,
    @Arg('resource', () => String, {
      nullable: true,
      description: 'Only entitlements to this record: `arrangement/<id>` or `agreement/<id>`.',
    })
    resource: string | null,
    @Arg('status', () => EntitlementStatusEnum, {
      nullable: true,
      description: 'Only entitlements in this state.',
    })
    status: EntitlementStatus | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The maximum number of records on the page, from 1 to 200; 50 when omitted.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        "The cursor after which the page starts: the `endCursor` or an edge's `cursor` of an " +
        'earlier page; the first page when omitted.',
    })
    after: string | null,
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
    description:
      'Explains whether a party has a right to an account or an agreement, and which rule ' +
      'decides it.',
  })
  explainEntitlement(
    @Arg('partyId', () => ID, {
      description: 'The identifier of the party whose access is evaluated.',
    })
    partyId: string,
    @Arg('resource', () => String, {
      description: 'The record to be accessed: `arrangement/<id>` or `agreement/<id>`.',
    })
    resource: string,
    @Arg('right', () => EntitlementRightEnum, { description: 'The right that the party needs.' })
    right: EntitlementRight,
    @Ctx() context: Context,
  ): Promise<EntitlementExplanation> {
    return explainEntitlement(context, partyId, resource, right)
  }

  @Requires('parties:write')
  @Mutation(() => Entitlement, {
    description:
      'Grants a party a right to an account or an agreement of another party, effective ' +
      'immediately.',
  })
  grantEntitlement(
    @Arg('input', () => GrantEntitlementInput, { description: 'The entitlement to grant.' })
    input: GrantEntitlementInput,
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
  @Mutation(() => Entitlement, {
    description:
      'Revokes an entitlement, effective immediately. The grantor and the grantee may both ' +
      'revoke it.',
  })
  revokeEntitlement(
    @Arg('entitlementId', () => ID, { description: 'The identifier of the active entitlement.' })
    entitlementId: string,
    @Ctx() context: Context,
  ): Promise<Record> {
    return revokeEntitlement(context, entitlementId)
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The maximum amount of a single transfer; null when transfers are not limited.',
  })
  limit(@Root() { limitMinor, limitCurrency }: Record): MoneyType | null {
    if (limitMinor === null) return null
    return moneyOut({ amountMinor: limitMinor, currency: limitCurrency! })
  }
}
