import { Requires } from '../../../kernel/authorization/auth.ts'
import { connectionOf, id, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { previewOverdraftProvision, previewProvision } from '../commands/preview.ts'
import { ProvisioningSegment, ImpairmentStage } from '../model/enumerations.ts'
import {
  AllowanceReport,
  Provision,
  ProvisionItem,
  ProvisioningFinding,
  ProvisionPreview,
} from '../model/provision.ts'
import {
  AccountArrangementStub,
  FacilityStub,
  PostingInstructionStub,
} from '../model/references.ts'
import { itemSortKey, listHistory, loadProvision, provisions } from '../store/provision.ts'
import { checkAllowances, readBalances, readTotals } from '../store/report.ts'
import { overdraftProvisionId } from '../domain/overdraft-id.ts'
import { arrangementOut, facilityOut } from './provided.ts'
import { totalOut } from './provisioning-run.resolver.ts'

const bankOnly = { scope: 'provisioning:read', isForBankOnly: true } as const

export const ProvisionOperations = resolverOf({
  queries: {
    provisions: listing(Provision, {
      ...bankOnly,
      description:
        'Returns the loss allowances that the bank holds, oldest first. Not available to delegated ' +
        'users.',
      filters: {
        segment: oneOf(ProvisioningSegment, 'Returns only provisions of this segment.').orNull(),
        stage: oneOf(ImpairmentStage, 'Returns only facilities in this stage.').orNull(),
      },
      ...provisions,
    }),
    provisionPreview: operation({
      ...bankOnly,
      description:
        'Computes the stage and the loss allowance of a facility as a run today would, without ' +
        'booking. Not available to delegated users.',
      returns: ProvisionPreview,
      args: { facilityId: id('The ID of the facility.') },
      resolve: async (context, { facilityId }) =>
        previewOut(await previewProvision(context, facilityId)),
    }),
    overdraftProvisionPreview: operation({
      ...bankOnly,
      description:
        'Computes the stage and the loss allowance of the overdraft of an account as a run today ' +
        'would, without booking. Not available to delegated users.',
      returns: ProvisionPreview,
      args: { arrangementId: id('The ID of the account.') },
      resolve: async (context, { arrangementId }) =>
        previewOut(await previewOverdraftProvision(context, arrangementId)),
    }),
    allowanceReport: operation({
      ...bankOnly,
      description:
        'Returns the loss allowances by segment and stage, and compares their sum with the ledger. ' +
        'Not available to delegated users.',
      returns: AllowanceReport,
      args: {},
      async resolve(context) {
        const [totals, balances] = await Promise.all([readTotals(context), readBalances(context)])
        return {
          totals: totals.map(totalOut),
          balances: balances.map(({ currency, allowanceMinor, ledgerMinor }) => ({
            currency,
            allowance: moneyOut({ amountMinor: allowanceMinor, currency }),
            ledgerBalance: moneyOut({ amountMinor: ledgerMinor, currency }),
            difference: moneyOut({ amountMinor: ledgerMinor - allowanceMinor, currency }),
          })),
        }
      },
    }),
    provisioningFindings: operation({
      ...bankOnly,
      description:
        'Checks the loss allowances against the ledger and their history; the list is empty if ' +
        'they agree. Not available to delegated users.',
      returns: [ProvisioningFinding],
      args: {},
      resolve: checkAllowances,
    }),
  },
})

function previewOut({ currency, ...preview }: Awaited<ReturnType<typeof previewProvision>>) {
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    ...preview,
    exposure: money(preview.exposureMinor),
    expectedLoss: money(preview.expectedLossMinor),
    allowance: money(preview.allowanceMinor),
    change: money(preview.allowanceMinor - preview.beforeMinor),
  }
}

@Resolver(() => Provision)
export class ProvisionResolver {
  @FieldResolver(() => FacilityStub, {
    nullable: true,
    description: 'The facility; null for an overdraft and for a management overlay.',
  })
  facility(@Root() { facilityId }: Provision): FacilityStub | null {
    return facilityOut(facilityId)
  }

  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account of an overdraft; null for anything else.',
  })
  arrangement(@Root() { facilityId }: Provision): AccountArrangementStub | null {
    return arrangementOut(facilityId)
  }

  @FieldResolver(() => MoneyType, {
    description: 'The exposure at default in the last run; zero once there is none.',
  })
  exposure(@Root() { exposureMinor: amountMinor, currency }: Provision): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'The loss allowance that is booked.' })
  allowance(@Root() { allowanceMinor: amountMinor, currency }: Provision): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => connectionOf(ProvisionItem), {
    description: 'The results of all runs, and the use of the allowance, newest first.',
  })
  history(
    @Root() { provisionId }: Provision,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<ProvisionItem>> {
    return readPage(
      context,
      'provisionHistory',
      { provisionId },
      { first, after },
      (cursor, take) => listHistory(context, provisionId, cursor, take),
      itemSortKey,
    )
  }
}

@Resolver(() => ProvisionItem)
export class ProvisionItemResolver {
  @FieldResolver(() => FacilityStub, {
    nullable: true,
    description: 'The facility; null for an overdraft and for a management overlay.',
  })
  facility(@Root() { facilityId }: ProvisionItem): FacilityStub | null {
    return facilityOut(facilityId)
  }

  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account of an overdraft; null for anything else.',
  })
  arrangement(@Root() { facilityId }: ProvisionItem): AccountArrangementStub | null {
    return arrangementOut(facilityId)
  }

  @FieldResolver(() => MoneyType, { description: 'The exposure at default.' })
  exposure(@Root() { exposureMinor: amountMinor, currency }: ProvisionItem): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The expected credit loss, without the management overlay.',
  })
  expectedLoss(@Root() { expectedLossMinor: amountMinor, currency }: ProvisionItem): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'The loss allowance after it.' })
  allowance(@Root() { allowanceMinor: amountMinor, currency }: ProvisionItem): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The change of the loss allowance; negative if a part is used or released.',
  })
  change(@Root() { beforeMinor, allowanceMinor, currency }: ProvisionItem): MoneyType {
    return moneyOut({ amountMinor: allowanceMinor - beforeMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The part of the loss allowance that a charge-off used.',
  })
  used(@Root() { usedMinor: amountMinor, currency }: ProvisionItem): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description: 'The posting of the change; null if nothing was booked.',
  })
  postingInstruction(@Root() { postingInstructionId }: ProvisionItem) {
    return postingInstructionId === null ? null : { postingInstructionId }
  }
}

@Resolver(() => FacilityStub)
export class FacilityProvisionResolver {
  @Requires('provisioning:read')
  @FieldResolver(() => Provision, {
    nullable: true,
    description:
      'The loss allowance that the bank holds for the facility; null if there is none, and for ' +
      'delegated users.',
  })
  provision(
    @Root() { facilityId }: FacilityStub,
    @Ctx() context: Context,
  ): Promise<Provision | null> {
    return loadProvision(context, facilityId)
  }
}

@Resolver(() => AccountArrangementStub)
export class OverdraftProvisionResolver {
  @Requires('provisioning:read')
  @FieldResolver(() => Provision, {
    nullable: true,
    description:
      'The loss allowance that the bank holds for the overdraft of the account; null if there is ' +
      'none, and for delegated users.',
  })
  overdraftProvision(
    @Root() { arrangementId }: AccountArrangementStub,
    @Ctx() context: Context,
  ): Promise<Provision | null> {
    return loadProvision(context, overdraftProvisionId(arrangementId))
  }
}
