import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { readRows } from '../_kernel/read-rows.ts'
import { controlAccounts } from '../_ledger/domain/account.ts'
import type { Posting } from '../_ledger/journal.ts'

const touchingSql =
  'select distinct posting_instruction_id as id from ledger.entry ' +
  "where posting_instruction_id = any($1) and split_part(account_id, '/', 1) = any($2) " +
  "and strpos(account_id, '/') > 0"

/**
 * Checks that no reversal undoes an entry on a control account: the area that keeps its records reverses
 * both together, a fee for example by `reverseFeeRun`. Rejects with POSTING_NOT_REVERSIBLE.
 */
export async function requireNoControlAccount(
  { bank }: Context,
  postings: readonly Posting[],
  isBatch: boolean,
): Promise<void> {
  const reversed = postings.flatMap(({ instruction }, index) =>
    instruction.type === 'reversal' ? [{ id: instruction.reversesId, index }] : [],
  )
  if (reversed.length === 0) return
  const values = [reversed.map(({ id }) => id), [...controlAccounts]]
  const rows = await readRows<{ id: string }>(bank, touchingSql, values)
  const found = reversed.find(({ id }) => rows.some((row) => row.id === id))
  if (!found) return
  const detail = `${found.id} is part of a fee. Reverse the fee run, or waive the fee.`
  const pointer = `${isBatch ? `/instructions/${found.index}` : ''}/reversesId`
  const errors = [{ pointer, code: 'POSTING_NOT_REVERSIBLE', detail }]
  throw new Problem('POSTING_NOT_REVERSIBLE', { detail, resourceId: found.id, errors })
}
