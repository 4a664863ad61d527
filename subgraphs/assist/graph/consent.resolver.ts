import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { consentsOf, grantConsent, withdrawConsent } from '../consents.ts'
import { AssistConsent, AssistConsentInput } from './consent.types.ts'

/** What parties agree to. */
@Resolver()
export class AssistConsentResolver {
  @Requires('assist:use')
  @Query(() => [AssistConsent], { description: 'What a party said about assistants.' })
  assistConsents(
    @Arg('partyId', () => ID) partyId: string,
    @Ctx() context: Context,
  ): Promise<AssistConsent[]> {
    return consentsOf(context, partyId)
  }

  @Requires('assist:use')
  @Mutation(() => AssistConsent, {
    description: 'Agrees that assistants of a type give a party’s data to the model of today.',
  })
  grantAssistConsent(
    @Arg('input', () => AssistConsentInput) input: AssistConsentInput,
    @Ctx() context: Context,
  ): Promise<AssistConsent> {
    return grantConsent(context, input)
  }

  @Requires('assist:use')
  @Mutation(() => AssistConsent, {
    description: 'Takes a consent back; open sessions about the party end.',
  })
  withdrawAssistConsent(
    @Arg('input', () => AssistConsentInput) input: AssistConsentInput,
    @Ctx() context: Context,
  ): Promise<AssistConsent> {
    return withdrawConsent(context, input)
  }
}
