// Which fields of the graph name who acted, and to whom: customers do not learn which employee it was.
import { readFileSync } from 'node:fs'
import { buildSchema, getNullableType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { apiSchemaPath } from '../../gateway/compose.ts'

/** Types whose records only the bank can read. */
const typesOfBank = [
  'AccountMappingRule',
  'AccountingPeriod',
  'AssistKillSwitch',
  'AssistantVersion',
  'AuditEntry',
  'BalanceCorrection',
  'ClockAdvance',
  'CollectionsStrategy',
  'CurrencyRevaluation',
  'Employee',
  'ErasureRequest',
  'FeeRun',
  'IdentityRecord',
  'InterestRateOverride',
  'InterestTaxExemption',
  'Job',
  'JournalEntry',
  'LegalHold',
  'LossProposal',
  'OAuthClientProposal',
  'OverdraftWriteOff',
  'ProvisioningRun',
  'ProvisioningTable',
  'SelfServiceSetting',
  'StageOverride',
  'TemplateApproval',
]
const nameTypes = ['String', 'Label', 'ID']

test('fields that name who acted are null for delegated users, except in records of the bank', () => {
  const types = Object.values(buildSchema(readFileSync(apiSchemaPath, 'utf8')).getTypeMap())
  const fields = types
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type: type.name, field })))
    .filter(({ field }) => /By$|^(actor|by)$/.test(field.name))
    .filter(({ field }) => nameTypes.includes(String(getNullableType(field.type))))
  const open = fields.filter(({ field }) => !field.description!.includes('delegated users'))
  const named = new Set(open.map(({ type }) => type))
  expect(fields.length).toBeGreaterThan(50)
  expect([...named].toSorted()).toEqual(typesOfBank)
})
