import type { Context } from '../../../kernel/environment/context.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { amountOfPhase } from '../../../ledger/domain/balance.ts'
import type { Entry } from '../../../ledger/domain/instruction.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import type { PostingRecord } from '../../../ledger/journal.ts'
import type { PostResult } from '../../../ledger/post.ts'
import type { PostingBalance, PostingEntry, PostingInstruction } from '../model/posting.ts'

/** Converts the result of a posting request, one instruction or a batch, to its GraphQL type. */
export function postOut(context: Context, { batchId, records }: PostResult): PostingInstruction {
  if (batchId === null) return recordOut(context, records[0]!)
  const instructions = records.map((record) => recordOut(context, record))
  const balances = new Map<string, PostingBalance>()
  for (const instruction of instructions) {
    for (const balance of instruction.balances) balances.set(balance.arrangementId, balance)
  }
  const { bookedAt, status } = records[0]!
  return {
    ...emptyFields,
    postingInstructionId: batchId,
    batchId,
    type: 'batch',
    status,
    balances: [...balances.values()],
    bookedAt,
    instructions,
  }
}

const emptyFields = {
  clientTransactionId: null,
  amount: null,
  entries: [],
  valueDate: null,
  reversesId: null,
  violations: [],
  rail: null,
  endToEndId: null,
  remittanceInformation: null,
  counterparty: null,
  metadata: null,
}

/**
 * Converts a posting instruction to its GraphQL type. Balances are included only for accounts that
 * the caller may read.
 */
export function recordOut(context: Context, record: PostingRecord): PostingInstruction {
  const { instruction, balances, postingInstructionId } = record
  const { partyId } = context.caller
  const visibleBalances =
    partyId === null ? balances : balances.filter((each) => each.partyId === partyId)
  const money = 'money' in instruction ? instruction.money : null
  return {
    postingInstructionId,
    batchId: record.batchId,
    type: instruction.type,
    status: record.status,
    clientTransactionId: instruction.clientTransactionId,
    amount: money && moneyOut(money),
    entries: record.entries.map((entry) => {
      const isVisible = visibleBalances.some(({ accountId }) => accountId === entry.accountId)
      return entryOut(postingInstructionId, entry, isVisible)
    }),
    balances: visibleBalances.map(({ accountId, currency, version, ...amounts }) => ({
      arrangementId: accountId,
      currency,
      committed: formatAmount(amounts.committedMinor, currency),
      pendingIn: formatAmount(amounts.pendingInMinor, currency),
      pendingOut: formatAmount(amounts.pendingOutMinor, currency),
      available: formatAmount(amounts.availableMinor, currency),
      version,
    })),
    bookedAt: record.bookedAt,
    valueDate: instruction.valueDate,
    reversesId: instruction.type === 'reversal' ? instruction.reversesId : null,
    violations: record.violations.map(({ code, detail, accountId = null }) => ({
      code,
      detail,
      account: accountId,
    })),
    ...record.narrative,
    instructions: null,
  }
}

function entryOut(postingInstructionId: string, entry: Entry, isVisible: boolean): PostingEntry {
  const { accountId, address, side, amountMinor, currency, phase, after } = entry
  return {
    entryId: `${postingInstructionId}.${entry.ordinal}`,
    account: accountId,
    arrangement: accountId.includes('/') ? null : { arrangementId: accountId },
    address,
    side,
    amount: formatAmount(amountMinor, currency),
    currency,
    phase,
    sequence: isVisible ? entry.sequence : null,
    balanceAfter: after && isVisible ? formatAmount(amountOfPhase(after, phase), currency) : null,
  }
}
