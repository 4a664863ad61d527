import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { consentsOf, grantConsent, withdrawConsent } from '../commands/consent.ts'
import { AssistConsent, AssistConsentInput } from './consent.types.ts'

/** Queries and mutations of the consents of parties. */
@Resolver()
export class AssistConsentResolver {
  @Requires('assist:use')
  @Query(() => [AssistConsent], { description: "Returns a party's consents to assistants." })
  assistConsents(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Ctx() context: Context,
  ): Promise<AssistConsent[]> {
    return consentsOf(context, partyId)
  }

  @Requires('assist:use')
  @Mutation(() => AssistConsent, {
    description:
      'Records that a party consents to assistants of one type sharing its data with the ' +
      'current model provider.',
  })
  grantAssistConsent(
    @Arg('input', () => AssistConsentInput, { description: 'The consent to record.' })
    input: AssistConsentInput,
    @Ctx() context: Context,
  ): Promise<AssistConsent> {
    return grantConsent(context, input)
  }

  @Requires('assist:use')
  @Mutation(() => AssistConsent, {
    description:
      "Withdraws a party's consent to one type of assistant, and ends up to 100 open sessions of " +
      'this type about the party.',
  })
  withdrawAssistConsent(
    @Arg('input', () => AssistConsentInput, { description: 'The consent to withdraw.' })
    input: AssistConsentInput,
    @Ctx() context: Context,
  ): Promise<AssistConsent> {
    return withdrawConsent(context, input)
  }
}
