import { requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import { connectionOf, id, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import { createCampaign } from '../commands/campaign.ts'
import { Campaign, campaignStates, CreateCampaignInput } from '../model/campaign.ts'
import { CampaignStatus } from '../model/enumerations.ts'
import { ProductOffer } from '../model/offer.ts'
import { CustomerStub } from '../model/references.ts'
import { campaignKind, campaignTable, listCampaigns, loadCampaign } from '../store/campaign.ts'
import { listOffers, offerTable } from '../store/offer.ts'

export const CampaignOperations = resolverOf({
  queries: {
    campaign: lookup(Campaign, {
      description: 'Returns one campaign.',
      scope: 'products:read',
      find: async (context, campaignId) =>
        requireFound(await loadCampaign(context, campaignId), 'CAMPAIGN_NOT_FOUND', campaignId),
    }),
    campaigns: listing(Campaign, {
      description: 'Returns campaigns in order of creation. All filters must match.',
      scope: 'products:read',
      filters: {
        productId: id('Returns only campaigns that apply to this product.').orNull(),
        status: oneOf(CampaignStatus, 'Returns only campaigns in this state.').orNull(),
      },
      list: listCampaigns,
      sortKey: campaignTable.sortKey,
    }),
  },
  mutations: {
    createCampaign: operation({
      description:
        'Creates a campaign. Its fee waivers apply automatically. Its discount applies to pricing ' +
        'quotes that reference the campaign.',
      scope: 'products:write',
      returns: Campaign,
      args: { input: object(CreateCampaignInput, 'The campaign to create.') },
      resolve(context, { input }) {
        const { description = null, segments, discountPct = null, waivedFees, ...rest } = input
        const lists = { segments: segments ?? [], waivedFees: waivedFees ?? [] }
        return createCampaign(context, { ...rest, ...lists, description, discountPct })
      },
    }),
    ...transitionsOf(campaignStates, changeOf(campaignKind)),
  },
})

@Resolver(() => CustomerStub)
export class CustomerOffersResolver {
  @Requires('offers:read')
  @FieldResolver(() => connectionOf(ProductOffer), {
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
  ): Promise<Page<ProductOffer>> {
    const filter = { customerId, productId: null, status: null, channel: null }
    return readPage(
      context,
      'customerOffers',
      { customerId },
      { first, after },
      (afterKey, take) => listOffers(context, filter, afterKey, take),
      offerTable.sortKey,
    )
  }
}
