import { Consent, AssistConsentInput } from '../model/consent.ts'
import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { consentsOf, grantConsent, withdrawConsent } from '../commands/consent.ts'

/** Queries and mutations of the consents of parties. */
@Resolver()
export class AssistConsentResolver {
  @Requires('assist:use')
  @Query(() => [Consent], { description: "Returns a party's consents to assistants." })
  assistConsents(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Ctx() context: Context,
  ): Promise<Consent[]> {
    return consentsOf(context, partyId)
  }

  @Requires('assist:use')
  @Mutation(() => Consent, {
    description:
      'Records that a party consents to assistants of one type sharing its data with the ' +
      'current model provider.',
  })
  grantAssistConsent(
    @Arg('input', () => AssistConsentInput, { description: 'The consent to record.' })
    input: AssistConsentInput,
    @Ctx() context: Context,
  ): Promise<Consent> {
    return grantConsent(context, input)
  }

  @Requires('assist:use')
  @Mutation(() => Consent, {
    description:
      "Withdraws a party's consent to one type of assistant, and ends up to 100 open sessions of " +
      'this type about the party.',
  })
  withdrawAssistConsent(
    @Arg('input', () => AssistConsentInput, { description: 'The consent to withdraw.' })
    input: AssistConsentInput,
    @Ctx() context: Context,
  ): Promise<Consent> {
    return withdrawConsent(context, input)
  }
}
