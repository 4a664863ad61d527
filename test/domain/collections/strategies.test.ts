import { describe, expect, test } from 'vitest'
import { appliesTo, strategyFor } from '../../../subgraphs/collections/domain/choose-strategy.ts'
import { requireStrategy } from '../../../subgraphs/collections/domain/strategy-rules.ts'
import { aContract, aStep, aStrategy, today } from './kit.ts'

describe('the strategy for a contract', () => {
  const chosen = (...strategies: ReturnType<typeof aStrategy>[]) =>
    strategyFor(strategies, aContract(5), today)?.collectionsStrategyId ?? null
  const all = aStrategy({ collectionsStrategyId: 'all' })
  const loans = aStrategy({ collectionsStrategyId: 'loans', segment: 'consumer-loan' })
  const product = aStrategy({ collectionsStrategyId: 'product', productId: 'prd_1' })

  test('is the most specific one', () => {
    expect(chosen(all, loans, product)).toBe('product')
    expect(chosen(all, loans)).toBe('loans')
    expect(chosen(all)).toBe('all')
    expect(chosen()).toBe(null)
    expect(chosen(aStrategy({ segment: 'overdraft' }), aStrategy({ productId: 'prd_2' }))).toBe(
      null,
    )
  })

  test('is approved and in effect', () => {
    expect(chosen(all, { ...loans, status: 'proposed' })).toBe('all')
    expect(chosen(all, { ...loans, status: 'rejected' })).toBe('all')
    expect(chosen(all, { ...loans, effectiveFrom: '2026-05-02' })).toBe('all')
    expect(chosen(all, { ...loans, effectiveFrom: today })).toBe('loans')
  })

  test('is the latest version', () => {
    const later = { ...all, collectionsStrategyId: 'later', effectiveFrom: '2026-02-01' }
    expect(chosen(all, later)).toBe('later')
    expect(chosen(later, all)).toBe('later')
    const decidedAt = new Date('2026-01-02T00:00:00Z')
    expect(chosen(all, { ...all, collectionsStrategyId: 'corrected', decidedAt })).toBe('corrected')
  })

  test('without a product and a segment applies to all contracts', () => {
    expect(appliesTo(all, aContract(1, { segment: 'overdraft', productId: null }))).toBe(true)
  })
})

describe('a proposed strategy', () => {
  const openCase = aStep('case', 10, { action: 'open-case' })
  const rejected = (more: object): unknown => {
    try {
      requireStrategy({ ...aStrategy(), ...more })
      return null
    } catch (error) {
      return (error as { members: { errors: { pointer: string }[] } }).members.errors[0]!.pointer
    }
  }

  test('is accepted', () => {
    expect(rejected({})).toBe(null)
    expect(rejected({ steps: [] })).toBe(null)
  })

  test.each([
    ['a product and a segment', { productId: 'p', segment: 'mortgage' }, '/segment'],
    ['no days between letters', { daysBetweenLetters: 0 }, '/daysBetweenLetters'],
    [
      'a minimum of zero',
      { minimumAmounts: [{ amount: '0.00', currency: 'EUR' }] },
      '/minimumAmounts/0/amount',
    ],
    [
      'two minimums of a currency',
      {
        minimumAmounts: [
          { amount: '1.00', currency: 'EUR' },
          { amount: '2.00', currency: 'EUR' },
        ],
      },
      '/minimumAmounts/1/currency',
    ],
    ['a repeated code', { steps: [aStep('a', 1), aStep('a', 2)] }, '/steps/1/code'],
    ['day zero', { steps: [aStep('a', 0)] }, '/steps/0/fromDaysPastDue'],
    ['descending days', { steps: [aStep('a', 9), aStep('b', 8)] }, '/steps/1/fromDaysPastDue'],
    [
      'a letter without a template',
      { steps: [aStep('a', 1, { templateCode: null })] },
      '/steps/0/templateCode',
    ],
    [
      'a letter without a channel',
      { steps: [aStep('a', 1, { channel: null })] },
      '/steps/0/channel',
    ],
    [
      'a letter with a routing profile',
      { steps: [aStep('a', 1, { routingProfileId: 'r' })] },
      '/steps/0/routingProfileId',
    ],
    ['two cases', { steps: [openCase, { ...openCase, code: 'b' }] }, '/steps/1/action'],
    [
      'an escalation without a case',
      { steps: [aStep('a', 1, { action: 'escalate', routingProfileId: 'r' })] },
      '/steps/0/action',
    ],
    [
      'an escalation without a routing profile',
      { steps: [openCase, aStep('a', 11, { action: 'escalate' })] },
      '/steps/1/routingProfileId',
    ],
    [
      'too many steps',
      { steps: Array.from({ length: 21 }, (_, index) => aStep(`s${index}`, 1)) },
      '/steps',
    ],
  ])('with %s is rejected', (_, more, pointer) => {
    expect(rejected(more)).toBe(pointer)
  })
})
