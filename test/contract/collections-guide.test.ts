// Runs the operations of the guide to collecting arrears exactly as printed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { staffToken, stepsOf } from './guide-kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

test('each operation has the result that the guide describes', async () => {
  const results: Record<string, any> = {}
  for (const { query, operationName } of stepsOf('collect-arrears.md', bank)) {
    const isOmar = ['WriteLetter', 'ProposeStrategy'].includes(operationName)
    const token = staffToken(bank, isOmar ? 'omar' : 'anna')
    if (operationName !== 'Episodes') {
      const { body } = await bank.graph(query, {}, { token })
      expect(body.errors, operationName).toBeUndefined()
      results[operationName] = body.data
      continue
    }
    results['Episodes'] = await eventually(async () => {
      const { body } = await bank.graph(query, {}, { token })
      expect(body.errors, operationName).toBeUndefined()
      return body.data.collectionsEpisodes.nodes[0]?.steps[0]?.document && body.data
    })
  }
  const { businessDate, items, steps } = results['Preview'].collectionsPreview
  expect(businessDate).toBe(bank.bank.now().toISOString().slice(0, 10))
  expect(steps).toContainEqual(expect.objectContaining({ code: 'reminder' }))
  const item = items.find(({ facility }: any) => facility?.facilityId === 'loan_grace')
  expect(item.steps).toEqual(['reminder'])
  expect(results['ApproveStrategy'].approveCollectionsStrategy).toEqual({
    status: 'APPROVED',
    decidedBy: 'anna',
  })
  const [episode] = results['Episodes'].collectionsEpisodes.nodes
  expect(episode).toMatchObject({ status: 'OPEN', pauseReason: null, nextStep: item.nextStep })
  const [step] = episode.steps
  expect(step).toMatchObject({ code: 'reminder', state: 'TAKEN', failureCode: null })
  expect(step.notification.renderedBody).toContain(
    `${episode.arrears.amount} ${episode.arrears.currency} for loan_grace has been due since`,
  )
  expect(step.document).toMatchObject({
    retentionClass: 'CONTRACT',
    versions: [{ mediaType: 'application/pdf' }],
  })
})
