import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideByPolicy, monthlyBurden } from '../../../subgraphs/origination/domain/policy.ts'
import { principalReasons } from '../../../subgraphs/origination/domain/reasons.ts'
import type { Terms } from '../../../subgraphs/origination/domain/terms.ts'

const terms = (amountMinor = 1_200_000n, termMonths: number | null = 12): Terms => ({
  amountMinor,
  currency: 'EUR',
  termMonths,
  ratePct: '5.9',
  productId: 'prd_loan',
  productVersion: '2026.1',
  quoteId: null,
})
const minor = fc.bigInt({ min: 0n, max: 10_000_000n })
const applicants = fc.record({
  incomeMinor: fc.option(minor),
  obligationsMinor: fc.option(minor),
  employedMonths: fc.option(fc.integer({ min: 0, max: 1200 })),
})

describe('credit policy', () => {
  test('monthly burden is the annuity payment, or for a limit a fortieth plus interest', () => {
    expect(monthlyBurden(terms()).toFixed(2)).toBe('103224.57')
    expect(monthlyBurden({ ...terms(), ratePct: '0' }).toFixed(2)).toBe('100000.00')
    expect(monthlyBurden(terms(1_000_000n, null)).toFixed(2)).toBe('29916.67')
  })

  test('gives one to four distinct listed reasons unless it approves', () => {
    fc.assert(
      fc.property(applicants, (applicant) => {
        const { outcome, reasons, rules, score } = decideByPolicy(applicant, terms())
        const codes = reasons.map(({ code }) => code)
        expect(new Set(codes).size).toBe(codes.length)
        expect(codes.length).toBeLessThanOrEqual(4)
        expect(codes.length > 0).toBe(outcome !== 'approve')
        for (const code of codes) expect(Object.keys(principalReasons)).toContain(code)
        const failed = rules.some(({ result }) => result === 'fail')
        if (failed) expect(outcome).toBe('decline')
        if (outcome === 'approve') expect(score.value).toBeGreaterThanOrEqual(score.cutoff!)
      }),
    )
  })

  test('never worsens the outcome for higher income or improves it for higher obligations', () => {
    const rank = { decline: 0, refer: 1, approve: 2 }
    const stated = fc.record({
      incomeMinor: minor.filter((income) => income > 0n),
      obligationsMinor: minor,
      employedMonths: fc.option(fc.integer({ min: 0, max: 1200 })),
    })
    fc.assert(
      fc.property(stated, minor, (applicant, more) => {
        const before = decideByPolicy(applicant, terms())
        const richer = decideByPolicy(
          { ...applicant, incomeMinor: applicant.incomeMinor + more },
          terms(),
        )
        const poorer = decideByPolicy(
          { ...applicant, obligationsMinor: applicant.obligationsMinor + more },
          terms(),
        )
        expect(rank[richer.outcome]).toBeGreaterThanOrEqual(rank[before.outcome])
        expect(rank[poorer.outcome]).toBeLessThanOrEqual(rank[before.outcome])
      }),
    )
  })

  test('refers an application without any information', () => {
    const nothing = { incomeMinor: null, obligationsMinor: null, employedMonths: null }
    expect(decideByPolicy(nothing, terms()).outcome).toBe('refer')
  })
})
