/**
 * Nobody reaches another one's record by its id. Every operation that takes an id, in the graph
 * and over REST, and every entity of every subgraph, is tried as Grace with the ids of Ada.
 */
import { beforeAll, expect, test } from 'vitest'
import { trespass, type Trespass } from './bola.ts'

let tried: Trespass
beforeAll(async () => {
  tried = await trespass()
  console.log(`${tried.tries} tries with ${tried.ids} ids.`)
}, 240_000)

test('no id of another party is answered with more than an absent one', () => {
  expect(tried.ids).toBeGreaterThan(60)
  expect(tried.faults).toEqual([])
})

test('nothing that was tried changed anything of theirs', () => {
  expect(tried.changed).toEqual([])
})

test('what was not tried is what is the bank’s own', () => {
  expect(tried.untried).toEqual([
    'agentId',
    'assistantVersionId',
    'campaignCode',
    'campaignId',
    'channelId',
    'clientId',
    'correctionId',
    'defaultOutboundQueueId',
    'exchangeRateId',
    'fallbackProfileId',
    // Only of accounts that owed a fee: tried with those, among the tests of fee receivables.
    'feeReceivableId',
    'feeRunId',
    'grantId',
    'lossProposalId',
    // Of a carrier of messages, not of ours.
    'messageId',
    'productId',
    'productIds',
    'queueId',
    'relationshipManagerIds',
    'routingProfileId',
    'templateId',
    'tokenId',
  ])
})
