import type { Context } from '../../_kernel/context.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { phaseFigure } from '../../_ledger/domain/balance.ts'
import type { Entry } from '../../_ledger/domain/instruction.ts'
import { moneyOut } from '../../_kernel/graph/money.types.ts'
import type { PostingRecord } from '../../_ledger/journal.ts'
import type { Post } from '../../_ledger/post.ts'
import type { PostingBalance, PostingEntry, PostingInstruction } from './posting.types.ts'

/** A post as it is answered: its one instruction, or the batch with its instructions. */
export function postOut(context: Context, { batchId, records }: Post): PostingInstruction {
  if (batchId === null) return recordOut(context, records[0]!)
  const instructions = records.map((record) => recordOut(context, record))
  const balances = new Map<string, PostingBalance>()
  for (const one of instructions) {
    for (const balance of one.balances) balances.set(balance.arrangementId, balance)
  }
  const { bookedAt, status } = records[0]!
  return {
    ...nothing,
    postingInstructionId: batchId,
    batchId,
    type: 'batch',
    status,
    balances: [...balances.values()],
    bookedAt,
    instructions,
  }
}

const nothing = {
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

/** A line of the journal as the caller may see it: balances of their own accounts only. */
export function recordOut(context: Context, record: PostingRecord): PostingInstruction {
  const { instruction, balances, postingInstructionId } = record
  const { partyId } = context.caller
  const seen = partyId === null ? balances : balances.filter((one) => one.partyId === partyId)
  const money = 'money' in instruction ? instruction.money : null
  return {
    postingInstructionId,
    batchId: record.batchId,
    type: instruction.type,
    status: record.status,
    clientTransactionId: instruction.clientTransactionId,
    amount: money && moneyOut(money),
    entries: record.entries.map((entry) => {
      const isSeen = seen.some(({ accountId }) => accountId === entry.accountId)
      return entryOut(postingInstructionId, entry, isSeen)
    }),
    balances: seen.map(({ accountId, currency, version, ...standing }) => ({
      arrangementId: accountId,
      currency,
      committed: formatAmount(standing.committedMinor, currency),
      pendingIn: formatAmount(standing.pendingInMinor, currency),
      pendingOut: formatAmount(standing.pendingOutMinor, currency),
      available: formatAmount(standing.availableMinor, currency),
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

function entryOut(postingInstructionId: string, entry: Entry, isSeen: boolean): PostingEntry {
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
    sequence: isSeen ? entry.sequence : null,
    balanceAfter: after && isSeen ? formatAmount(phaseFigure(after, phase), currency) : null,
  }
}
