import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { principalReasons } from '../../../subgraphs/origination/domain/reasons.ts'
import {
  accepting,
  applicationIn,
  bank,
  day,
  deciding,
  decisionsOf,
  good,
  openBank,
  read,
  row,
  start,
  eventTypesOf,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const problemOf = ({ errors }: { errors: readonly any[] }) => errors[0]?.extensions
const approved = { outcome: 'approved' }

describe('approval', () => {
  test('sets the terms, reserves the loan and is open for 30 days', async () => {
    const id = await applicationIn('submitted', { quoteId: 'quo_1' })
    const decision = good(await deciding(id, { ...approved, comment: 'Fine.' }))
    expect(decision).toMatchObject({
      applicationId: id,
      number: 1,
      outcome: 'APPROVED',
      decisionMode: 'MANUAL',
      applicationStatus: 'APPROVED',
      reasons: [],
      approvedTerms: {
        amount: eur('12000.00'),
        termMonths: 12,
        ratePct: '4.9',
        productId: 'prd_loan',
        quoteId: 'quo_1',
      },
      decidedBy: 'officer_1',
      decidedAt: start,
      expiresAt: '2026-04-01T09:00:00.000Z',
      adverseActionNoticeDueBy: null,
      comment: 'Fine.',
    })
    expect(decision.facilityId).toMatch(/^fac_/)
    expect(decision.loanId).toBe(decision.facilityId)
    const { loanApplication } = (await read(id)).data
    expect(loanApplication).toMatchObject({
      facilityId: decision.facilityId,
      offerExpiresAt: decision.expiresAt,
      approvedTerms: decision.approvedTerms,
      decisions: [{ decisionId: decision.decisionId }],
    })
    expect(loanApplication.termsHash).toHaveLength(43)
    expect((await eventTypesOf(id)).slice(2)).toEqual([
      'credit-application.decision-recorded',
      'credit-application.approved',
      'loan-application.approved',
    ])
    expect(await bank.fact(`loan-application/${id}`)).toMatchObject({
      status: 'approved',
      approvedMinor: '1200000',
      facilityId: decision.facilityId,
    })
  })

  test('of a revolving limit emits no loan event', async () => {
    const id = await applicationIn('approved', { productId: 'prd_limit', termMonths: null })
    expect((await eventTypesOf(id)).at(-1)).toBe('credit-application.approved')
  })

  test('may differ from the request within the bounds of the product', async () => {
    const id = await applicationIn('submitted')
    const terms = { amount: '9000', termMonths: 24, ratePct: '6.50' }
    const decision = good(await deciding(id, { ...approved, approvedTerms: terms }))
    expect(decision.approvedTerms).toMatchObject({
      amount: eur('9000.00'),
      termMonths: 24,
      ratePct: '6.5',
      quoteId: null,
    })
  })

  test('does not outlive its quote', async () => {
    const id = await applicationIn('submitted', { quoteId: 'quo_soon' })
    expect(good(await deciding(id, approved)).expiresAt).toBe('2026-03-05T09:00:00.000Z')
  })

  test.each<[object, string, string]>([
    [{ amount: eur('50000.01') }, 'TERMS_OUT_OF_POLICY', '/approvedTerms/amount'],
    [{ amount: '0' }, 'TERMS_OUT_OF_POLICY', '/approvedTerms/amount'],
    [
      { amount: { amount: '5000', currency: 'USD' } },
      'TERMS_OUT_OF_POLICY',
      '/approvedTerms/amount',
    ],
    [{ termMonths: 85 }, 'TERMS_OUT_OF_POLICY', '/approvedTerms/termMonths'],
    [{ termMonths: -1 }, 'TERMS_OUT_OF_POLICY', '/approvedTerms/termMonths'],
    [{ ratePct: '-0.1' }, 'TERMS_OUT_OF_POLICY', '/approvedTerms/ratePct'],
    [{ ratePct: '100.01' }, 'TERMS_OUT_OF_POLICY', '/approvedTerms/ratePct'],
    [{ productId: 'prd_none' }, 'PRODUCT_NOT_FOUND', '/approvedTerms/productId'],
    [{ productId: 'prd_current' }, 'PRODUCT_NOT_LENDABLE', '/productId'],
    [{ quoteId: 'quo_none' }, 'QUOTE_NOT_FOUND', '/approvedTerms/quoteId'],
    [{ quoteId: 'quo_old' }, 'QUOTE_EXPIRED', '/approvedTerms/quoteId'],
    [{ quoteId: 'quo_grace' }, 'QUOTE_MISMATCH', '/quoteId'],
  ])('on the terms %j is rejected', async (approvedTerms, code, pointer) => {
    const id = await applicationIn('submitted')
    const before = await row(id)
    const refused = problemOf(await deciding(id, { ...approved, approvedTerms }))
    expect(refused).toMatchObject({ code, errors: [{ pointer }] })
    expect(await row(id)).toEqual(before)
    expect(await decisionsOf(id)).toEqual([])
  })
})

describe('credit decision', () => {
  test.each([
    ['APPROVED', 'APPROVED'],
    ['approve', 'APPROVED'],
    ['Decline', 'DECLINED'],
    ['refer', 'REFERRED'],
    ['counter_offer', 'COUNTER_OFFER'],
  ])('accepts the outcome %s', async (outcome, expected) => {
    const reasons = [{ code: 'INCOME_UNVERIFIED' }]
    const id = await applicationIn('submitted')
    expect(good(await deciding(id, { decision: outcome, reasons })).outcome).toBe(expected)
  })

  test.each<[object, string, string]>([
    [{}, 'OUTCOME_REQUIRED', '/outcome'],
    [{ outcome: 'maybe' }, 'INVALID_OUTCOME', '/outcome'],
    [{ outcome: 'constructor' }, 'INVALID_OUTCOME', '/outcome'],
    [{ ...approved, decidedAt: '2026-03-02T09:01:00.001Z' }, 'DECIDED_AT_IN_FUTURE', '/decidedAt'],
    [{ ...approved, decidedAt: '2026-03-02T08:59:59Z' }, 'INVALID_DATE_RANGE', '/decidedAt'],
    [{ ...approved, expiresAt: start }, 'INVALID_DATE_RANGE', '/expiresAt'],
    [{ ...approved, decisionMode: 'AUTOMATED' }, 'POLICY_VERSION_REQUIRED', '/policyVersion'],
    [{ ...approved, overrideOf: 'dec_none' }, 'DECISION_NOT_FOUND', '/overrideOf'],
    [{ outcome: 'declined' }, 'DECLINE_REASONS_REQUIRED', '/reasons'],
    [{ outcome: 'counter-offer' }, 'DECLINE_REASONS_REQUIRED', '/reasons'],
    [
      { outcome: 'declined', reasons: [{ code: 'policy' }] },
      'DECLINE_REASONS_REQUIRED',
      '/reasons/0/code',
    ],
    [
      { outcome: 'declined', reasons: Array(5).fill({ code: 'bankruptcy' }) },
      'DECLINE_REASONS_REQUIRED',
      '/reasons',
    ],
    [{ outcome: 'referred', conditions: [{ code: 'c' }] }, 'VALIDATION_FAILED', '/conditions'],
    [
      { ...approved, conditions: [{ code: 'c' }, { code: 'c' }] },
      'VALIDATION_FAILED',
      '/conditions/1/code',
    ],
    [
      { ...approved, conditions: Array.from({ length: 21 }, (_, at) => ({ code: `c${at}` })) },
      'VALIDATION_FAILED',
      '/conditions',
    ],
  ])('rejects %j', async (more, code, pointer) => {
    const id = await applicationIn('submitted')
    expect(problemOf(await deciding(id, more))).toMatchObject({ code, errors: [{ pointer }] })
    expect(await decisionsOf(id)).toEqual([])
  })

  test('states the reasons of a decline, and when its notice is due', async () => {
    const id = await applicationIn('submitted')
    const reasons = [{ code: 'obligations-excessive' }, { code: 'local', text: 'The ship sank.' }]
    bank.clock.advance(2 * day)
    const decision = good(await deciding(id, { outcome: 'declined', reasons }))
    bank.clock.set(start)
    expect(decision).toMatchObject({
      reasons: [
        { code: 'obligations-excessive', text: 'Excessive obligations in relation to income' },
        { code: 'local', text: 'The ship sank.' },
      ],
      adverseActionNoticeDueBy: '2026-04-01',
      facilityId: null,
    })
    expect((await read(id)).data.loanApplication.closureReason).toBe('CREDIT_DECISION')
  })

  test('knows all 23 principal reasons of form C-1', () => {
    expect(Object.keys(principalReasons)).toHaveLength(23)
  })

  test('revokes an approval by a person with reasons only, and releases the reserved loan', async () => {
    const id = await applicationIn('approved')
    const reasons = [{ code: 'employment-unverified' }]
    const automated = {
      outcome: 'declined',
      reasons,
      decisionMode: 'AUTOMATED',
      policyVersion: 'p',
    }
    expect((await deciding(id, automated)).code).toBe('APPLICATION_ALREADY_DECIDED')
    const decision = good(await deciding(id, { outcome: 'declined', reasons }))
    expect(decision).toMatchObject({ number: 2, adverseActionNoticeDueBy: '2026-04-01' })
    expect((await read(id)).data.loanApplication).toMatchObject({
      status: 'DECLINED',
      closureReason: 'REVOKED',
      facilityId: null,
    })
    expect(await decisionsOf(id)).toHaveLength(2)
    expect((await accepting(id)).code).toBe('INVALID_STATE_TRANSITION')
  })

  test('names the decision that it overrides', async () => {
    const id = await applicationIn('in-review')
    const [referred] = await decisionsOf(id)
    const overrideOf = referred!['decision_id']
    const other = await applicationIn('submitted')
    expect((await deciding(other, { ...approved, overrideOf })).code).toBe('DECISION_NOT_FOUND')
    expect(good(await deciding(id, { ...approved, overrideOf })).overrideOf).toBe(overrideOf)
  })

  test('is append-only', async () => {
    await applicationIn('approved')
    for (const change of [
      `update origination.credit_decision set outcome = 'declined'`,
      'delete from origination.credit_decision',
      'truncate origination.credit_decision cascade',
    ]) {
      await expect(bank.rows(change)).rejects.toThrow('append-only')
    }
  })
})
