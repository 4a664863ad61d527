import {
  stored,
  type TypeOf,
  entity,
  id,
  input,
  instant,
  label,
  oneOf,
  string,
  text,
} from '../../../kernel/domain/model.ts'
import { ConsentStatus } from './enumerations.ts'

export const Consent = entity(
  'AssistConsent',
  'consentId',
  "A party's consent to assistants of one type sharing its data with a model provider.",
  {
    consentId: id('The ID of the consent, such as `cns_…`.').inEvents(),
    partyId: id('The ID of the party.').inEvents(),
    assistantType: label('The type of assistant the consent covers.').inEvents(),
    provider: string(
      'The model provider that receives the data. The consent does not cover other providers.',
    ).inEvents(),
    status: oneOf(ConsentStatus, "The party's latest decision.").inEvents(),
    evidence: text(
      'How the party gave or withdrew the consent; null if this was not recorded.',
    ).orNull(),
    decidedBy: string('The user or client who recorded the decision.').namesActor(),
    decidedAt: instant('When the decision was recorded.'),
    version: stored<number>(),
  },
  { isResolvable: false },
)
export type Consent = TypeOf<typeof Consent>

export const AssistConsentInput = input(
  'AssistConsentInput',
  "A party's decision on sharing its data with an assistant's model.",
  {
    partyId: id('The ID of the party.'),
    assistantType: label('The type of assistant the decision covers.'),
    evidence: text(
      "How the party made the decision. Required when the bank records a grant on the party's " +
        'behalf.',
    ).orNull(),
  },
)
export type AssistConsentInput = TypeOf<typeof AssistConsentInput>
