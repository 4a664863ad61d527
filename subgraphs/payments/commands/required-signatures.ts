import { requireSoleSignature } from '../../../kernel/authorization/signing.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import type { Instruction } from '../../../ledger/domain/instruction.ts'

/**
 * Rejects transfers that a customer posts from an account whose signing rule requires further
 * signatures, because a posting cannot wait for them. The transfers of a batch from one account count
 * as one amount. The ledger rejects debits of accounts of others; their rules are not read, because
 * the rejection would disclose them. Throws SIGNATURES_REQUIRED. Never applies to the bank.
 */
export async function requireSignatures(
  context: Context,
  instructions: readonly Instruction[],
): Promise<void> {
  const { partyId } = context.caller
  if (partyId === null) return
  const debits = [...debitsOf(instructions)]
  const subjects = debits.map(([debtorId]) => `arrangement/${debtorId}`)
  const accounts = await readFacts(context, subjects)
  for (const [index, [debtorId, amountMinor]] of debits.entries()) {
    if (accounts[index]?.['partyId'] !== partyId) continue
    await requireSoleSignature(context, debtorId, amountMinor, '')
  }
}

/** Returns the amount that leaves each account, in minor units of the currency of the account. */
function debitsOf(instructions: readonly Instruction[]): Map<string, bigint> {
  const debits = new Map<string, bigint>()
  for (const each of instructions) {
    if (each.type !== 'transfer') continue
    debits.set(each.debtorId, (debits.get(each.debtorId) ?? 0n) + each.money.amountMinor)
  }
  return debits
}
