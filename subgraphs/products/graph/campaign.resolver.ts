import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { changeCampaign, createCampaign } from '../campaigns.ts'
import type { Campaign as Domain, CampaignStatus } from '../domain/campaign.ts'
import type { ProductOffer as DomainOffer } from '../domain/offer.ts'
import { campaignTable, listCampaigns, loadCampaign } from '../store/campaign.ts'
import { listOffers } from '../store/offer.ts'
import {
  Campaign,
  CampaignConnection,
  CampaignStatusEnum,
  CreateCampaignInput,
} from './campaign.types.ts'
import { ProductOfferConnection } from './offer.types.ts'
import { CustomerStub } from './stubs.types.ts'

@Resolver(() => Campaign)
export class CampaignResolver {
  @Requires('products:read')
  @Query(() => Campaign, { description: 'One campaign.' })
  async campaign(
    @Arg('campaignId', () => ID) campaignId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const found = await loadCampaign(context, campaignId)
    if (found) return found
    throw new Problem('CAMPAIGN_NOT_FOUND', { resourceId: campaignId })
  }

  @Requires('products:read')
  @Query(() => CampaignConnection, { description: 'Campaigns in the order they were made.' })
  campaigns(
    @Arg('productId', () => ID, { nullable: true }) productId: string | null,
    @Arg('status', () => CampaignStatusEnum, { nullable: true }) status: CampaignStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    const filter = { productId: productId ?? null, status: status ?? null }
    return readPage(
      context,
      'campaigns',
      filter,
      { first, after },
      (from, take) => listCampaigns(context, filter, from, take),
      campaignTable.sortKey,
    )
  }

  @Requires('products:write')
  @Mutation(() => Campaign, {
    description: 'Makes a campaign. It is applied to prices that name it, and to fees by itself.',
  })
  createCampaign(
    @Arg('input', () => CreateCampaignInput) input: CreateCampaignInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const { description = null, segments, discountPct = null, waivedFees, ...rest } = input
    const lists = { segments: segments ?? [], waivedFees: waivedFees ?? [] }
    return createCampaign(context, { ...rest, ...lists, description, discountPct })
  }

  @Requires('products:write')
  @Mutation(() => Campaign, { description: 'Begins a campaign; its days say from when.' })
  activateCampaign(@Arg('campaignId', () => ID) campaignId: string, @Ctx() context: Context) {
    return changeCampaign(context, 'activateCampaign', campaignId, 'active')
  }

  @Requires('products:write')
  @Mutation(() => Campaign, { description: 'Ends a campaign; what it gave stays given.' })
  endCampaign(@Arg('campaignId', () => ID) campaignId: string, @Ctx() context: Context) {
    return changeCampaign(context, 'endCampaign', campaignId, 'ended')
  }

  @Requires('products:write')
  @Mutation(() => Campaign, { description: 'Takes a campaign back, as if it had not been.' })
  withdrawCampaign(@Arg('campaignId', () => ID) campaignId: string, @Ctx() context: Context) {
    return changeCampaign(context, 'withdrawCampaign', campaignId, 'withdrawn')
  }
}

@Resolver(() => CustomerStub)
export class CustomerOffersResolver {
  @Requires('offers:read')
  @FieldResolver(() => ProductOfferConnection, {
    nullable: true,
    description: 'Offers that were made to this customer.',
  })
  offers(
    @Root() { customerId }: CustomerStub,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainOffer>> {
    const filter = { customerId, productId: null, status: null, channel: null }
    return readPage(
      context,
      'customerOffers',
      { customerId },
      { first, after },
      (from, take) => listOffers(context, filter, from, take),
      (offer) => [offer.createdAt.toISOString(), offer.offerId],
    )
  }
}
