import type { Context } from '../../../kernel/environment/context.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import { changeRecord, createRecord, versioned } from '../../../kernel/writing/records.ts'
import { requireValidRule } from '../domain/mapping-rule.ts'
import type {
  AccountMappingRule,
  MappingRuleState,
  ProposeMappingRuleInput,
} from '../model/mapping-rule.ts'
import { readChart } from '../store/account.ts'
import { readBook, reviseBook } from '../store/book.ts'
import { mappingRuleKind } from '../store/mapping-rule.ts'

const transitions: Transitions<MappingRuleState> = {
  proposed: ['active', 'rejected'],
  active: [],
  rejected: [],
}

/** Proposes a mapping rule. Throws RESOURCE_EXISTS and what `requireValidRule` throws. */
export function proposeMappingRule(
  context: Context,
  input: ProposeMappingRuleInput,
): Promise<AccountMappingRule> {
  const { mappingRuleId, ledgerCode, productId = null, accountNumber, validFrom, reason } = input
  const operation = 'proposeMappingRule'
  return createRecord(context, mappingRuleKind, operation, input, mappingRuleId, async (stamp) => {
    const [chart, book] = await Promise.all([readChart(context), readBook(context)])
    requireValidRule(input, chart, book)
    return {
      record: {
        ...versioned(stamp),
        mappingRuleId: stamp.id,
        ledgerCode,
        productId,
        accountNumber,
        validFrom,
        state: 'proposed',
        reason,
        proposedBy: context.caller.subject,
        decidedBy: null,
        decidedAt: null,
      },
    }
  })
}

/**
 * Approves or rejects a mapping rule. An approved rule applies from its first day, whose period must
 * still not be closed. Throws MAPPING_RULE_NOT_FOUND, SEGREGATION_OF_DUTIES for the person who
 * proposed it, INVALID_STATE_TRANSITION, and for an approval what `requireValidRule` throws.
 */
export function decideMappingRule(
  context: Context,
  mappingRuleId: string,
  state: 'active' | 'rejected',
): Promise<AccountMappingRule> {
  const isApproval = state === 'active'
  const operation = isApproval ? 'approveMappingRule' : 'rejectMappingRule'
  const event = isApproval
    ? 'general-ledger.mapping-rule.approved'
    : 'general-ledger.mapping-rule.rejected'
  const input = { mappingRuleId }
  return changeRecord(
    context,
    mappingRuleKind,
    operation,
    input,
    mappingRuleId,
    event,
    async (before, now) => {
      const detail = 'The person who proposed a mapping rule cannot decide on it.'
      const fourEyes = { resourceId: mappingRuleId, detail }
      await requireAnotherPerson(context, [before.proposedBy], fourEyes)
      assertTransition(transitions, before.state, state, mappingRuleId)
      const decided = { ...before, state, decidedBy: context.caller.subject, decidedAt: now }
      if (!isApproval) return { record: decided }
      // Before the chart, so that no account changes before the commit.
      const book = await readBook(context)
      const chart = await readChart(context)
      requireValidRule(before, chart, book)
      // The revision keeps a period from being closed meanwhile with the former rules.
      return { record: decided, writes: [reviseBook(book, book.closedThrough)] }
    },
  )
}
