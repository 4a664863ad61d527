import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { policyVersion } from '../../../subgraphs/origination/domain/policy.ts'
import {
  applicationIn,
  bank,
  day,
  deciding,
  tryMutation,
  good,
  judgeApplications,
  openBank,
  publish,
  read,
  row,
  runs,
  start,
  statusOf,
  eventTypesOf,
  withCounterOffer,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())
beforeEach(() => bank.clock.set(start))

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const well = {
  monthlyIncome: eur('4200.00'),
  monthlyObligations: eur('300.00'),
  employedMonths: 60,
}
const badly = {
  monthlyIncome: eur('1500.00'),
  monthlyObligations: eur('700.00'),
  employedMonths: 1,
}
const judged = async (productId: string, stated: object) => {
  const id = await applicationIn('submitted', { productId, ...stated })
  expect(await runs(judgeApplications)).toBe(1)
  expect(await runs(judgeApplications)).toBe(0)
  return { id, application: (await read(id)).data.loanApplication }
}

describe('automated application', () => {
  test('is approved under a named policy version if it is affordable', async () => {
    const { id, application } = await judged('prd_automated', well)
    expect(application).toMatchObject({
      status: 'APPROVED',
      decisionMode: 'AUTOMATED',
      approvedTerms: { amount: eur('12000.00'), ratePct: '5.9' },
      recommendation: { outcome: 'APPROVE', policyVersion, reasons: [] },
      decisions: [{ outcome: 'APPROVED', decisionMode: 'AUTOMATED', decidedBy: 'credit-policy' }],
    })
    expect(application.facilityId).toMatch(/^fac_/)
    const { score } = application.recommendation
    expect(score.value).toBeGreaterThanOrEqual(score.cutoff)
    expect((await eventTypesOf(id)).slice(2)).toEqual([
      'credit-application.decision-recorded',
      'credit-application.approved',
      'loan-application.approved',
    ])
  })

  test('is declined if it is not affordable, with the principal reasons in order of weight', async () => {
    const { application } = await judged('prd_automated', badly)
    expect(application).toMatchObject({ status: 'DECLINED', closureReason: 'CREDIT_DECISION' })
    const codes = application.decisions[0].reasons.map(({ code }: any) => code)
    expect(codes).toEqual(['income-insufficient', 'obligations-excessive', 'employment-length'])
  })

  test('is referred to a person, with a case, if income is not stated', async () => {
    const { id, application } = await judged('prd_automated', {})
    expect(application).toMatchObject({
      status: 'IN_REVIEW',
      decisions: [
        {
          outcome: 'REFERRED',
          reasons: expect.arrayContaining([
            { code: 'income-unverified', text: 'Unable to verify income' },
          ]),
        },
      ],
    })
    expect((await row(id))['case_id']).toMatch(/^case_/)
    expect(await eventTypesOf(id)).toContain('credit-application.referred')
    good(await deciding(id, { outcome: 'approved' }))
  })

  test('is referred to a person, who sets another rate, if its quote has expired', async () => {
    const id = await applicationIn('submitted', {
      productId: 'prd_automated',
      decisionMode: 'AUTOMATED',
      quoteId: 'quo_auto',
      ...well,
    })
    bank.clock.advance(4 * day)
    expect(await runs(judgeApplications)).toBe(1)
    expect(await statusOf(id)).toBe('in-review')
    expect((await deciding(id, { outcome: 'approved' })).code).toBe('QUOTE_EXPIRED')
    good(await deciding(id, { outcome: 'approved', approvedTerms: { ratePct: '6.1' } }))
  })
})

test('a hybrid application goes to review with a recommendation and without a decision', async () => {
  const { id, application } = await judged('prd_hybrid', well)
  expect(application).toMatchObject({
    status: 'IN_REVIEW',
    decisionMode: 'HYBRID',
    recommendation: { outcome: 'APPROVE' },
    decisions: [],
  })
  expect((await eventTypesOf(id)).slice(2)).toEqual([
    'credit-application.recommended',
    'credit-application.in-review',
  ])
})

test('the policy does not decide manual, returned or counter-offered applications', async () => {
  const manual = await applicationIn('submitted', well)
  const { id } = await judged('prd_hybrid', well)
  good(await tryMutation('returnLoanApplication(applicationId: $id, wanted: "x") { status }', id))
  await withCounterOffer()
  expect(await runs(judgeApplications)).toBe(0)
  expect(await statusOf(manual)).toBe('submitted')
  expect(await statusOf(id)).toBe('submitted')
})

test('two workers decide one application once', async () => {
  const id = await applicationIn('submitted', { productId: 'prd_automated', ...well })
  await Promise.all([runs(judgeApplications), runs(judgeApplications)])
  expect((await read(id)).data.loanApplication.decisions).toHaveLength(1)
})

beforeAll(() =>
  publish('quote/quo_auto', {
    pricingQuoteId: 'quo_auto',
    productId: 'prd_automated',
    productVersion: '2026.1',
    customerId: null,
    currency: 'EUR',
    amountMinor: null,
    termMonths: null,
    ratePct: '4.5',
    expiresAt: '2026-03-05T09:00:00.000Z',
  }),
)
