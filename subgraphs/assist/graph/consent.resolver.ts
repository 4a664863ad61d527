import { Consent, AssistConsentInput } from '../model/consent.ts'
import { id, object } from '../../../kernel/domain/model.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { consentsOf, grantConsent, withdrawConsent } from '../commands/consent.ts'

/** Queries and mutations of the consents of parties. */
export const ConsentOperations = resolverOf({
  queries: {
    assistConsents: operation({
      description: "Returns a party's consents to assistants.",
      scope: 'assist:use',
      returns: [Consent],
      args: { partyId: id('The ID of the party.') },
      resolve: (context, { partyId }) => consentsOf(context, partyId),
    }),
  },
  mutations: {
    grantAssistConsent: operation({
      description:
        'Records that a party consents to assistants of one type sharing its data with the ' +
        'current model provider.',
      scope: 'assist:use',
      returns: Consent,
      args: { input: object(AssistConsentInput, 'The consent to record.') },
      resolve: (context, { input }) => grantConsent(context, input),
    }),
    withdrawAssistConsent: operation({
      description:
        "Withdraws a party's consent to one type of assistant, and ends up to 100 open sessions of " +
        'this type about the party.',
      scope: 'assist:use',
      returns: Consent,
      args: { input: object(AssistConsentInput, 'The consent to withdraw.') },
      resolve: (context, { input }) => withdrawConsent(context, input),
    }),
  },
})
