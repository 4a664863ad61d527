import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { seedPrincipal } from '../../../kernel/authorization/principals.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  applicationIn,
  bank,
  deciding,
  declined,
  good,
  officer,
  openBank,
  submitting,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const approved = { outcome: 'approved' }

describe('decider of an application', () => {
  test('is neither the submitter nor the applicant', async () => {
    const id = await applicationIn('submitted')
    const submitter = { caller: aCaller() }
    expect((await deciding(id, approved, submitter)).code).toBe('SEGREGATION_OF_DUTIES')
    for (const decidedBy of ['pty_ada', 'cus_ada']) {
      const caller: Caller = { ...aCaller(), subject: decidedBy }
      expect((await deciding(id, approved, { caller })).code).toBe('SEGREGATION_OF_DUTIES')
    }
    good(await deciding(id, { ...approved, decidedBy: 'officer_2' }, submitter))
  })

  test('is the caller, or a person for whom the client is registered to act', async () => {
    const id = await applicationIn('submitted')
    const submitter = { caller: aCaller() }
    for (const [decidedBy, options] of [
      ['somebody', submitter],
      ['officer_2', { caller: officer }],
      ['officer_1', { caller: aCaller({ clientId: 'shop' }) }],
    ] as const) {
      const { code } = await deciding(id, { ...approved, decidedBy }, options)
      expect([decidedBy, code]).toEqual([decidedBy, 'CANNOT_ACT_FOR'])
    }
    const decision = good(await deciding(id, { ...approved, decidedBy: 'officer_2' }, submitter))
    const { data } = await bank.execute(
      `{ loanApplication(applicationId: "${id}") { decisions { decidedBy recordedBy } } }`,
    )
    expect(decision.decidedBy).toBe('officer_2')
    expect(data.loanApplication.decisions).toEqual([
      { decidedBy: 'officer_2', recordedBy: 'test-client' },
    ])
  })

  test('has no authority unless it was granted, whatever the decision mode', async () => {
    const id = await applicationIn('submitted')
    const caller: Caller = { ...aCaller(), subject: 'newcomer' }
    const automated = { ...approved, decisionMode: 'AUTOMATED', policyVersion: '1' }
    for (const decision of [approved, automated]) {
      const { code } = await deciding(id, decision, { caller })
      expect(code).toBe('LIMIT_OF_AUTHORITY_EXCEEDED')
    }
    good(await deciding(id, declined, { caller }))
  })

  test('is not the owner of the client that submitted it', async () => {
    await seedPrincipal(bank.bank.pool, 'loan-desk', [])
    await bank.rows(
      `update kernel.fact set data = '{"owner": "officer_1", "actsFor": []}' where subject = 'principal/loan-desk'`,
    )
    const id = await applicationIn('draft')
    good(await submitting(id, {}, { caller: aCaller({ clientId: 'loan-desk' }) }))
    expect((await deciding(id, approved)).code).toBe('SEGREGATION_OF_DUTIES')
    good(await deciding(id, { ...approved, decidedBy: 'officer_2' }, { caller: aCaller() }))
  })

  test('is not an assistant, whoever records the decision', async () => {
    const id = await applicationIn('submitted')
    for (const decidedBy of ['ai', 'AI:underwriter', 'assistant/7', 'ses_ada', 'bot_3']) {
      expect((await deciding(id, { ...approved, decidedBy })).code).toBe('AI_CANNOT_DECIDE')
    }
    const caller = { ...aCaller({ clientId: 'assist' }), subject: 'officer_1' }
    expect((await deciding(id, approved, { caller })).code).toBe('AI_CANNOT_DECIDE')
    good(await deciding(id, { ...approved, decidedBy: 'aisha' }, { caller: aCaller() }))
  })

  test('decides up to the limit granted, and nobody grants a limit to themselves', async () => {
    const grant = (decider: string, amount: string, options = {}) =>
      bank.execute(
        `mutation ($limit: MoneyInput!, $decider: Label!) { act: grantCreditAuthority(decider: $decider,
          limit: $limit) { decider limit { amount currency } } }`,
        { decider, limit: eur(amount) },
        { caller: officer, ...options },
      )
    const lena = { caller: { ...aCaller(), subject: 'lena' } }
    const consent = { declarations: [{ code: 'credit-bureau-check', accepted: true }] }
    const id = await applicationIn('submitted', {
      productId: 'prd_signed',
      requestedAmount: eur('30000'),
      ...consent,
    })
    expect((await deciding(id, approved, lena)).code).toBe('LIMIT_OF_AUTHORITY_EXCEEDED')
    good(await grant('lena', '25000.00'))
    expect((await deciding(id, approved, lena)).code).toBe('LIMIT_OF_AUTHORITY_EXCEEDED')
    expect(good(await grant('lena', '30000.00')).limit).toEqual(eur('30000.00'))
    good(await deciding(id, approved, lena))
    expect((await grant('lena', '1', lena)).code).toBe('SEGREGATION_OF_DUTIES')
    expect((await grant('lena', '1', { caller: aCaller() })).code).toBe('PERSON_REQUIRED')
    expect((await grant('officer_2', '-1')).code).toBe('VALIDATION_FAILED')
    const caller = aCaller({ subject: 'officer_1', scopes: ['credit:decide'] })
    expect((await grant('officer_2', '1', { caller })).code).toBe('INSUFFICIENT_SCOPE')
  })
})
