import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

const isOwner = "owners @> jsonb_build_array(jsonb_build_object('partyId', $1::text))"
const ofOwner = `collateral_id in (select collateral_id from collateral.collateral where ${isOwner})`
/** Other collateral is still needed: its identifiers prevent that an asset is pledged twice. */
const isErasable = "status in ('released', 'liquidated', 'rejected')"
const sharedWith =
  "array(select o ->> 'partyId' from collateral.collateral c, jsonb_array_elements(c.owners) o " +
  'where c.collateral_id = t.collateral_id)'
const ofErasable = `collateral_id in (select collateral_id from collateral.collateral where ${isErasable})`
const reason =
  'The retention of another owner of the collateral has not ended, or its status is not final.'

declarePersonalData('collateral', 'collateral for the credit of customers', {
  'collateral.valuation': {
    party: ofOwner,
    rule: 'contract',
    personal: { valuer: 'identity', source: 'credit' },
    other: 'method',
    sharedWith,
    erasable: { when: ofErasable, reason },
  },
  'collateral.name': {
    party: ofOwner,
    rule: 'contract',
    personal: { name: { category: 'credit', plain: plainReasons.sql } },
    other: 'scheme',
    isDeleted: true,
    sharedWith,
    erasable: { when: ofErasable, reason },
  },
  'collateral.collateral': {
    party: isOwner,
    rule: 'contract',
    personal: {
      description: 'credit',
      status_reason: 'communication',
      identifiers: { category: 'credit', erasedTo: "'[]'", plain: plainReasons.sql },
      perfection: { category: 'credit', members: 'registry reference' },
      insurance: { category: 'credit', members: 'insurer policyNumber' },
      valuation: { category: 'credit', members: 'valuer source' },
    },
    other: 'owners allocations lapsed',
    // The shares and the facilities of other owners.
    hidden: 'owners allocations',
    sharedWith,
    erasable: { when: isErasable, reason },
  },
  'collateral.coverage': null,
})
