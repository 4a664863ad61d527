import { EntitlementStatus } from '../model/enumerations.ts'
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
import { requireVisible, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { EntitlementRight } from '../../../kernel/domain/entitlement.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { filterResource, type Entitlement as DomainEntitlement } from '../domain/entitlement.ts'
import { explainEntitlement, grantEntitlement, revokeEntitlement } from '../commands/entitlement.ts'
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
  GrantEntitlementInput,
} from '../model/entitlement.ts'

@Resolver(() => Entitlement)
export class EntitlementResolver {
  @Requires('parties:read')
  @Query(() => Entitlement, { description: 'Returns one entitlement.' })
  async entitlement(
    @Arg('entitlementId', () => ID, { description: 'The ID of the entitlement.' })
    entitlementId: string,
    @Ctx() context: Context,
  ): Promise<DomainEntitlement> {
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
      description: 'Returns only entitlements that this party granted or received.',
    })
    partyId: string | null,
    @Arg('resource', () => String, {
      nullable: true,
      description:
        'Returns only entitlements to this record: `arrangement/<id>` or `agreement/<id>`.',
    })
    resource: string | null,
    @Arg('status', () => EntitlementStatus, {
      nullable: true,
      description: 'Returns only entitlements in this state.',
    })
    status: EntitlementStatus | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainEntitlement>> {
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
      (afterKey, take) => listEntitlements(context, filter, afterKey, take),
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
      description: 'The ID of the party whose access is evaluated.',
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
  ): Promise<DomainEntitlement> {
    const { limit, validTo = null, ...request } = input
    const limitMoney = limit && {
      amountMinor: parseAmount(limit.amount, limit.currency, '/limit/amount'),
      currency: limit.currency,
    }
    return grantEntitlement(context, { ...request, limit: limitMoney ?? null, validTo })
  }

  @Requires('parties:write')
  @Mutation(() => Entitlement, {
    description:
      'Revokes an entitlement, effective immediately. The grantor, the grantee and the bank can ' +
      'revoke it.',
  })
  revokeEntitlement(
    @Arg('entitlementId', () => ID, { description: 'The ID of the active entitlement.' })
    entitlementId: string,
    @Ctx() context: Context,
  ): Promise<DomainEntitlement> {
    return revokeEntitlement(context, entitlementId)
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The maximum amount of a single transfer; null if there is no limit.',
  })
  limit(@Root() { limitMinor, limitCurrency }: DomainEntitlement): MoneyType | null {
    if (limitMinor === null) return null
    return moneyOut({ amountMinor: limitMinor, currency: limitCurrency! })
  }
}
