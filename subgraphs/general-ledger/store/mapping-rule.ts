import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { Mapping } from '../domain/mapping.ts'
import { mappingRuleEvents, type MappingRuleEvent } from '../events.ts'
import type { AccountMappingRule, MappingRuleState } from '../model/mapping-rule.ts'

export const mappingRules = tableOf<
  AccountMappingRule,
  Prisma.AccountMappingRuleGetPayload<object>
>(
  'general_ledger.mapping_rule',
  'mappingRuleId',
  ({ db }) => db.accountMappingRule,
  (row) => ({
    ...row,
    state: row.state as MappingRuleState,
    validFrom: dateOf(row.validFrom),
  }),
)

export const mappingRuleKind: RecordKind<AccountMappingRule, MappingRuleEvent> = {
  ...mappingRules,
  ...mappingRuleEvents,
  id: 'mappingRule',
  notFound: 'MAPPING_RULE_NOT_FOUND',
  created: 'general-ledger.mapping-rule.proposed',
  ownersOf: () => [],
  isPublished: false,
}

/** Reads which ledger accounts belong to which account of the general ledger. */
export async function readMapping(context: Context): Promise<Mapping> {
  return new Mapping(await mappingRules.findMany(context, { where: { state: 'active' } }))
}
