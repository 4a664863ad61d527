import { describe, expect, test } from 'vitest'
import { lastMonthEnd, requestedMonthEnd } from '../../../subgraphs/provisioning/domain/month.ts'
import { assessOverlays, endAllowance } from '../../../subgraphs/provisioning/domain/provision.ts'
import { requireSegments } from '../../../subgraphs/provisioning/domain/table-rules.ts'
import type { SegmentRiskInput } from '../../../subgraphs/provisioning/model/provisioning-table.ts'
import type { Provision } from '../../../subgraphs/provisioning/model/provision.ts'

const stage = (name: 'stage-1' | 'stage-2' | 'stage-3', pdPct: string) => ({
  stage: name,
  pdPct,
  lgdPct: '40',
  securedLgdPct: '20',
})
const segment = (more: Partial<SegmentRiskInput> = {}): SegmentRiskInput => ({
  segment: 'mortgage',
  stage2AfterDays: 30,
  stage3AfterDays: 90,
  cureDays: 90,
  creditConversionPct: '0',
  overlayPct: '0',
  stages: [stage('stage-1', '1'), stage('stage-2', '10'), stage('stage-3', '100')],
  ...more,
})
const overlay = { amount: '5000.00', currency: 'EUR' }

describe('A provisioning table', () => {
  test('with an overlay and its reason is accepted', () => {
    const overlaid = segment({ overlayAmount: overlay, overlayReason: 'Floods' })
    expect(requireSegments([overlaid])).toEqual([overlaid])
  })

  test.each<[string, SegmentRiskInput[]]>([
    ['/segments', []],
    ['/segments/1/segment', [segment(), segment()]],
    ['/segments/0/stage2AfterDays', [segment({ stage2AfterDays: -1 })]],
    ['/segments/0/stage3AfterDays', [segment({ stage3AfterDays: 30 })]],
    ['/segments/0/cureDays', [segment({ cureDays: 0 })]],
    ['/segments/0/creditConversionPct', [segment({ creditConversionPct: '101' })]],
    ['/segments/0/stages', [segment({ stages: [stage('stage-1', '1')] })]],
    [
      '/segments/0/stages/0/pdPct',
      [
        segment({
          stages: [stage('stage-1', '-1'), stage('stage-2', '1'), stage('stage-3', '1')],
        }),
      ],
    ],
    ['/segments/0/overlayPct', [segment({ overlayPct: '1001' })]],
    ['/segments/0/overlayReason', [segment({ overlayPct: '5' })]],
    ['/segments/0/overlayReason', [segment({ overlayAmount: overlay })]],
    [
      '/segments/0/overlayAmount/amount',
      [segment({ overlayAmount: { ...overlay, amount: '0' }, overlayReason: 'None' })],
    ],
  ])('is rejected with %s', (pointer, segments) => {
    const rejected = expect.objectContaining({
      code: 'PROVISIONING_TABLE_INVALID',
      members: expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }),
    })
    expect(() => requireSegments(segments)).toThrow(rejected)
  })
})

test('an overlay that left the table is released, and one in it is held', () => {
  const held = [
    {
      provisionId: 'overlay/revolving/EUR',
      segment: 'revolving',
      currency: 'EUR',
      stageSince: '2026-01-31',
      allowanceMinor: 100n,
    } as Provision,
  ]
  const risks = requireSegments([segment({ overlayAmount: overlay, overlayReason: 'Floods' })])
  const assessed = assessOverlays(risks, held, '2026-03-31')
  expect(
    assessed.map(({ provisionId, allowanceMinor, stageSince }) => [
      provisionId,
      allowanceMinor,
      stageSince,
    ]),
  ).toEqual([
    ['overlay/revolving/EUR', 0n, '2026-01-31'],
    ['overlay/mortgage/EUR', 500_000n, '2026-03-31'],
  ])
})

test.each([
  [100n, 0n, 0n, 100n],
  [100n, 60n, 60n, 40n],
  [100n, 100n, 100n, 0n],
  [100n, 900n, 100n, 0n],
])(
  'an allowance of %s and a charge-off of %s',
  (allowance, chargedOff, usedMinor, releasedMinor) => {
    expect(endAllowance(allowance, chargedOff)).toEqual({ usedMinor, releasedMinor })
  },
)

describe('The month of a run', () => {
  test.each([
    ['2026-03-01', '2026-02-28'],
    ['2026-03-31', '2026-02-28'],
    ['2028-03-01', '2028-02-29'],
    ['2026-01-15', '2025-12-31'],
  ])('requested on %s is that of %s', (today, monthEnd) => {
    expect(lastMonthEnd(today)).toBe(monthEnd)
    expect(requestedMonthEnd(null, today)).toBe(monthEnd)
  })

  test.each(['2026-03-31', '2026-02-27', '2026-02-30'])('must have ended: not %s', (day) => {
    expect(() => requestedMonthEnd(day, '2026-03-15')).toThrow('not the last day')
  })
})
