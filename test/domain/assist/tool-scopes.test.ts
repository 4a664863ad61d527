import { readFileSync } from 'node:fs'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../rest-facade/scope-of.ts'
import { tools, toolOf, type ToolName } from '../../../subgraphs/assist/domain/tool.ts'

const mutations: Partial<Record<ToolName, string>> = {
  make_extra_payment: 'createExtraPayment',
  request_payment_holiday: 'createPaymentHoliday',
  transfer: 'createTransfer',
}

test('each tool that changes data has the scope of its mutation', () => {
  const supergraph = parse(readFileSync('gateway/supergraph.graphql', 'utf8'))
  const names = (Object.keys(tools) as ToolName[]).filter(
    (name) => toolOf(name).toolClass === 'act',
  )
  expect(names.sort()).toEqual(Object.keys(mutations).sort())
  for (const name of names) {
    expect(toolOf(name).scope, name).toBe(scopeOf(supergraph, 'Mutation', mutations[name]!))
  }
})
