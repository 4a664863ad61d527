import { declarePersonalData, plainReasons } from '../domain/personal-data.ts'
import { erasedAnswer } from '../writing/answer.ts'

const copies = 'The rows are copies of rows that are exported.'

/** The members of the data of events, and of facts, that contain text about a party. */
export const personalMembers = 'reason waivedFor waiverReason segment quietHours'

/** The members of the events about identity records, which are kept like the records. */
const auditMembers = 'person actor userAgent grantId acr requestId'

/**
 * The other members of the data of events that contain any text, separated by blanks: codes, names
 * of records of the bank, text about no party, and the audit of identity.
 */
export const impersonalMembers =
  'account accountId accountIds accountNumber actsFor address agreementType argumentsHash ' +
  'assistantType batchId channel clientId clientTransactionId closedBy code collateralType correctionReason ' +
  'decidedBy deliveryId delinquencyBucket detail documentType endedBy endReason eventId eventType failureCode ' +
  'failureReason feeCode host invariant job label language ledgerCode loadedBy mediaType name ' +
  'outcomeReason owner parentNumber phase position productClass productCode productVersion proposedBy ' +
  'provider reasonCode reopeningProposedBy resource revaluedBy ruleVersion scope scopes segments setBy ' +
  'sha256 source stepCode subject subjects templateCode thirdParty triggeredBy type username value version ' +
  `waivedFees ${auditMembers}`

/** The members of the data of events that contain text about a party, separated by blanks. */
export const personalEventMembers = `${personalMembers} from to zone`

declarePersonalData('kernel', 'the processing of requests, and the record of what happened', {
  'kernel.archived_subject': null,
  'kernel.clock': null,
  'kernel.console_session': {
    party: 'party_id',
    rule: 'access',
    personal: { subject: { category: 'access', plain: plainReasons.sql } },
    hidden: 'tokens',
    other: 'provider_session tokens',
    isDeleted: true,
    omitted: 'The rows are sessions, which expire.',
  },
  'kernel.consumer': null,
  'kernel.data_key': null,
  'kernel.encryption_progress': null,
  'kernel.event': {
    party: 'parties @> array[$1::text]',
    rule: 'service',
    personal: { data: { category: 'communication', members: personalMembers } },
    other: 'subject parties actor',
  },
  'kernel.event_party': null,
  // Events with text about a party stay in the table.
  'kernel.event_segment': null,
  'kernel.fact': [
    {
      party: "starts_with(subject, 'account-number/') and data ->> 'partyId' = $1",
      rule: 'contract',
      personal: { subject: { category: 'financial', plain: plainReasons.sql } },
      other: 'data',
      isDeleted: true,
      omitted: copies,
    },
    {
      party: "subject in (select 'person/' || username from oauth.person where party_id = $1)",
      rule: 'access',
      personal: { subject: { category: 'access', plain: plainReasons.sql } },
      other: 'data',
      isDeleted: true,
      omitted: copies,
    },
    {
      party: "data ->> 'partyId' = $1 or subject = 'party/' || $1",
      rule: 'service',
      personal: {
        data: {
          category: 'communication',
          members: personalMembers,
          plain: 'A commit compares the data of the facts on which it was decided.',
        },
      },
      other: 'subject',
      omitted: copies,
    },
    {
      party: null,
      employee: "subject in ('employee/' || $1, 'person/' || $1)",
      rule: 'audit',
      personal: { subject: { category: 'access', plain: plainReasons.sql } },
      other: 'data',
      omitted: copies,
    },
  ],
  'kernel.head': null,
  'kernel.identity_checkpoint': null,
  'kernel.identity_record': {
    party: 'party_id',
    employee: 'party_id is null and (person = $1 or actor = $1)',
    rule: 'identity-audit',
    personal: {
      person: { category: 'access', plain: plainReasons.sql },
      actor: { category: 'access', plain: plainReasons.sql },
      address: { category: 'access', plain: plainReasons.sql },
      user_agent: { category: 'access', plain: plainReasons.sql },
      detail: { category: 'access', plain: plainReasons.sql },
    },
    other: 'kind outcome acr salt personal_digest',
    hidden: 'salt personal_digest',
  },
  'kernel.idempotency': {
    // The responses of erasures stay until they expire, so that a lost one can be repeated.
    party: "operation not like '%Erasure' and persons <> '{}' and persons @> array['party/' || $1]",
    employee:
      "operation like '%Employee%' and persons <> '{}' and persons @> array['employee/' || $1]",
    rule: 'access',
    personal: {
      answer: { category: 'communication', erasedTo: `'${erasedAnswer}'`, keepsIds: true },
    },
    other: 'owner operation key fingerprint persons',
    omitted: copies,
  },
  'kernel.job': null,
  // The sequencer moves the rows to the event log within moments.
  'kernel.outbox': {
    party: null,
    rule: 'scheduled',
    personal: { events: { category: 'communication', members: personalMembers } },
  },
  'kernel.approval': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      text: { category: 'financial', plain: plainReasons.sql },
      evidence: { category: 'access', plain: plainReasons.sql },
    },
    other: 'action nonce',
  },
  'kernel.process_probe': null,
  'kernel.refusal': {
    party: 'party_id',
    employee: 'party_id is null and subject = $1',
    rule: 'access',
    personal: { subject: { category: 'access', plain: plainReasons.sql } },
    other: 'operation',
    isDeleted: true,
  },
  'kernel.request_log': {
    party: 'party_id',
    employee: 'party_id is null and subject = $1',
    rule: 'access',
    personal: { subject: { category: 'access', plain: plainReasons.sql } },
    other: 'method path operation idempotency_key request_body response_body',
    isDeleted: true,
  },
  'kernel.revocation': null,
  'kernel.used_proof': null,
})
