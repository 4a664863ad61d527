import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { maySee, Requires } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { Facility, FacilityCoverage } from '../model/coverage.ts'
import { readCoverages, readFacilities } from '../store/coverage.ts'

const loadFacility = loader(readFacilities)
const loadCoverage = loader(readCoverages)

@Resolver(() => Facility)
export class FacilityCoverageResolver {
  @Requires('lending:read')
  @FieldResolver(() => FacilityCoverage, {
    nullable: true,
    description:
      'The collateral coverage of the facility; null if the facility is not visible to the caller.',
  })
  async coverage(@Root() { facilityId }: Facility, @Ctx() context: Context) {
    const [facility, coverage] = await Promise.all([
      loadFacility(context, facilityId),
      loadCoverage(context, facilityId),
    ])
    if (!facility || !maySee(context.caller, [facility.partyId])) return null
    const allocated = coverage?.allocatedMinor ?? 0n
    const { currency, requiredMinor } = facility
    const toMoney = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
    const shortfall = requiredMinor > allocated ? requiredMinor - allocated : 0n
    return {
      allocated: toMoney(allocated),
      required: toMoney(requiredMinor),
      shortfall: toMoney(shortfall),
    }
  }
}
