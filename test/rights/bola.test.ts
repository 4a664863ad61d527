/**
 * Broken object-level authorization: every operation that takes an id, in the graph and over REST,
 * and every entity of every subgraph, is called as Grace with Ada's ids.
 */
import { beforeAll, expect, test } from 'vitest'
import { probeForeignAccess, type ForeignAccessProbe } from './bola.ts'

let tried: ForeignAccessProbe
beforeAll(async () => {
  tried = await probeForeignAccess()
  console.log(`${tried.tries} requests with ${tried.ids} ids.`)
}, 480_000)

test('returns the same response for an id of another party as for one that does not exist', () => {
  expect(tried.ids).toBeGreaterThan(60)
  expect(tried.faults).toEqual([])
})

test('changes no record of another party', () => {
  expect(tried.changed).toEqual([])
})

test('tests every kind of id except those of the bank’s own records', () => {
  expect(tried.untested).toEqual([
    'accountingPeriodId',
    'agentId',
    'assistantVersionId',
    'campaignCode',
    'campaignId',
    'channelId',
    'clientId',
    'collectionsStepId',
    'collectionsStrategyId',
    'correctionId',
    'defaultOutboundQueueId',
    'employeeId',
    'erasureRequestId',
    'exchangeRateId',
    'fallbackProfileId',
    // Exists only for accounts that were charged a fee by itself; covered by the tests of fee charges.
    'feeChargeId',
    // Exists only for accounts that owed a fee; covered by the tests of fee receivables.
    'feeReceivableId',
    'feeRunId',
    'grantId',
    'lossProposalId',
    'mappingRuleId',
    // An id of the delivery provider.
    'messageId',
    'overdraftId',
    'overdraftWriteOffId',
    'productId',
    'productIds',
    'provisioningRunId',
    'provisioningTableId',
    'queueId',
    'rateOverrideId',
    'referenceRateId',
    'relationshipManagerIds',
    'routingProfileId',
    'selfServiceSettingId',
    // The signatories of a rule that only the bank proposes.
    'signatoryPartyIds',
    'signingRuleId',
    'stageOverrideId',
    'taxExemptionId',
    'templateId',
    'tokenId',
  ])
})
