import type { CreditDecision } from '../../../subgraphs/origination/model/decision.ts'
import { expect, test } from 'vitest'
import type { LoanApplication } from '../../../subgraphs/origination/model/application.ts'

import { noticeContentOf } from '../../../subgraphs/origination/domain/notice.ts'

const application = {
  applicationId: 'app_1',
  productId: 'prd_loan',
  amountMinor: 600_000n,
  currency: 'JPY',
  submittedAt: new Date('2026-03-01T23:59:00Z'),
} as LoanApplication
const decision = {
  outcome: 'declined',
  reasons: [
    { code: 'bankruptcy', text: 'Bankruptcy' },
    { code: 'other', text: 'x'.repeat(2000) },
  ],
  approvedTerms: null,
  expiresAt: null,
  decidedAt: new Date('2026-03-02T09:00:00Z'),
} as unknown as CreditDecision

test('an adverse action notice states the request and the reasons, truncated to the limit of the template', () => {
  const { templateCode, personalization } = noticeContentOf(decision, application)
  expect(templateCode).toBe('tpl_credit_declined')
  expect(personalization).toEqual({
    applicationId: 'app_1',
    productId: 'prd_loan',
    requestedAmount: '600000',
    currency: 'JPY',
    submittedOn: '2026-03-01',
    decidedOn: '2026-03-02',
    reasonCodes: 'bankruptcy,other',
    reason1: 'Bankruptcy',
    reason2: `${'x'.repeat(999)}…`,
  })
})

test('a counter-offer notice states the offer and omits terms that it does not have', () => {
  const terms = { amountMinor: 4000n, currency: 'EUR', ratePct: '5.9' }
  const offering = (termMonths: number | null, expiresAt: Date | null) =>
    noticeContentOf(
      {
        ...decision,
        outcome: 'counter-offer',
        approvedTerms: { ...terms, termMonths } as CreditDecision['approvedTerms'],
        expiresAt,
      },
      application,
    )
  const complete = offering(24, new Date('2026-04-01T00:00:00Z'))
  expect(complete.templateCode).toBe('tpl_credit_counter_offer')
  const offered = { offeredAmount: '40.00', offeredRatePct: '5.9' }
  expect(complete.personalization).toMatchObject({
    ...offered,
    offeredTermMonths: 24,
    offerExpiresOn: '2026-04-01',
  })
  const { personalization } = offering(null, null)
  expect(personalization).toMatchObject(offered)
  expect(personalization).not.toHaveProperty('offeredTermMonths')
  expect(personalization).not.toHaveProperty('offerExpiresOn')
})
