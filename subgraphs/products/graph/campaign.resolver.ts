import { CampaignStatus } from '../model/enumerations.ts'
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
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { changeCampaign, createCampaign } from '../commands/campaign.ts'
import type { Campaign as Domain } from '../domain/campaign.ts'
import type { ProductOffer as DomainOffer } from '../domain/offer.ts'
import { campaignTable, listCampaigns, loadCampaign } from '../store/campaign.ts'
import { listOffers } from '../store/offer.ts'
import { Campaign, CampaignConnection, CreateCampaignInput } from '../model/campaign.ts'
import { ProductOfferConnection } from '../model/offer.ts'
import { CustomerStub } from '../model/references.ts'

@Resolver(() => Campaign)
export class CampaignResolver {
  @Requires('products:read')
  @Query(() => Campaign, { description: 'Returns one campaign.' })
  async campaign(
    @Arg('campaignId', () => ID, { description: 'The ID of the campaign.' })
    campaignId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const found = await loadCampaign(context, campaignId)
    if (found) return found
    throw new Problem('CAMPAIGN_NOT_FOUND', { resourceId: campaignId })
  }

  @Requires('products:read')
  @Query(() => CampaignConnection, {
    description: 'Returns campaigns in order of creation. All filters must match.',
  })
  campaigns(
    @Arg('productId', () => ID, {
      nullable: true,
      description: 'Returns only campaigns that apply to this product.',
    })
    productId: string | null,
    @Arg('status', () => CampaignStatus, {
      nullable: true,
      description: 'Returns only campaigns in this state.',
    })
    status: CampaignStatus | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    const filter = { productId: productId ?? null, status: status ?? null }
    return readPage(
      context,
      'campaigns',
      filter,
      { first, after },
      (afterKey, take) => listCampaigns(context, filter, afterKey, take),
      campaignTable.sortKey,
    )
  }

  @Requires('products:write')
  @Mutation(() => Campaign, {
    description:
      'Creates a campaign. Its fee waivers apply automatically. Its discount applies to pricing ' +
      'quotes that reference the campaign.',
  })
  createCampaign(
    @Arg('input', () => CreateCampaignInput, { description: 'The campaign to create.' })
    input: CreateCampaignInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const { description = null, segments, discountPct = null, waivedFees, ...rest } = input
    const lists = { segments: segments ?? [], waivedFees: waivedFees ?? [] }
    return createCampaign(context, { ...rest, ...lists, description, discountPct })
  }

  @Requires('products:write')
  @Mutation(() => Campaign, {
    description: 'Activates a draft campaign. It applies from its first day on.',
  })
  activateCampaign(
    @Arg('campaignId', () => ID, { description: 'The ID of the draft campaign.' })
    campaignId: string,
    @Ctx() context: Context,
  ) {
    return changeCampaign(context, 'activateCampaign', campaignId, 'active')
  }

  @Requires('products:write')
  @Mutation(() => Campaign, {
    description:
      'Ends an active campaign before its last day. Discounts and waivers that were already ' +
      'granted are kept.',
  })
  endCampaign(
    @Arg('campaignId', () => ID, { description: 'The ID of the active campaign.' })
    campaignId: string,
    @Ctx() context: Context,
  ) {
    return changeCampaign(context, 'endCampaign', campaignId, 'ended')
  }

  @Requires('products:write')
  @Mutation(() => Campaign, {
    description:
      'Withdraws a draft or active campaign. It no longer applies and is no longer visible ' +
      'to customers.',
  })
  withdrawCampaign(
    @Arg('campaignId', () => ID, { description: 'The ID of the campaign.' })
    campaignId: string,
    @Ctx() context: Context,
  ) {
    return changeCampaign(context, 'withdrawCampaign', campaignId, 'withdrawn')
  }
}

@Resolver(() => CustomerStub)
export class CustomerOffersResolver {
  @Requires('offers:read')
  @FieldResolver(() => ProductOfferConnection, {
    nullable: true,
    description:
      'The offers made to this customer, in order of creation; null if they are not visible to ' +
      'the caller.',
  })
  offers(
    @Root() { customerId }: CustomerStub,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainOffer>> {
    const filter = { customerId, productId: null, status: null, channel: null }
    return readPage(
      context,
      'customerOffers',
      { customerId },
      { first, after },
      (afterKey, take) => listOffers(context, filter, afterKey, take),
      (offer) => [offer.createdAt.toISOString(), offer.offerId],
    )
  }
}
