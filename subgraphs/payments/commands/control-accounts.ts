import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { bankSubject } from '../../../kernel/authorization/caller.ts'
import { controlAccounts } from '../../../ledger/domain/account.ts'
import type { Posting, PostingRecord } from '../../../ledger/journal.ts'
import { readPostings } from '../../../ledger/read.ts'

// Only the charge of a fee settles outbound to the account of a third party.
const controlAccountPostingsSql =
  'select distinct posting_instruction_id as id from ledger.entry e ' +
  "where posting_instruction_id = any($1) and (starts_with(account_id, 'gl+') or " +
  "starts_with(account_id, 'loan@') or " +
  "(split_part(account_id, '/', 1) = any($2) and strpos(account_id, '/') > 0) or " +
  "(account_id like 'fee-payable/%/%' and exists (select from ledger.posting_instruction p " +
  "where p.posting_instruction_id = e.posting_instruction_id and p.type = 'outbound-hard-settlement')))"

/**
 * Checks that no reversal undoes an entry on a control account. The area that keeps the subledger
 * must reverse such an entry together with its subledger record. For a fee, `reverseFeeRun` does
 * this. Only a refund, which takes two people, undoes the charge of a single fee; otherwise the charges
 * would not explain what a third party is owed. The same holds for accounts that only the general ledger books on
 * (`gl+…`): two people made the entry, so one client cannot undo it. A posting of a loan or of a term
 * deposit is undone there, such as by `reverseRepayment`; otherwise the loan would stay repaid. Throws
 * POSTING_NOT_REVERSIBLE.
 */
export async function requireNoControlAccount(
  { bank }: Context,
  postings: readonly Posting[],
  isBatch: boolean,
): Promise<void> {
  const reversals = postings.flatMap(({ instruction }, index) =>
    instruction.type === 'reversal' ? [{ id: instruction.reversesId, index }] : [],
  )
  if (reversals.length === 0) return
  const ids = reversals.map(({ id }) => id)
  const values = [ids, [...controlAccounts]]
  const [rows, originals] = await Promise.all([
    readRows<{ id: string }>(bank, controlAccountPostingsSql, values),
    readPostings(bank.pool, ids),
  ])
  const isForbidden = ({ id }: { id: string }, index: number) =>
    rows.some((row) => row.id === id) || isOfRecord(originals[index]!)
  const forbidden = reversals.find(isForbidden)
  if (!forbidden) return
  const detail =
    `${forbidden.id} is an entry of a subledger or of the general ledger. Reverse it there, such as ` +
    'the fee run of a fee, by the refund of a fee charge, by the reversal of a repayment or a ' +
    'drawdown, with a further journal entry, or by a correction of the postings on which interest ' +
    'was computed.'
  const pointer = `${isBatch ? `/instructions/${forbidden.index}` : ''}/reversesId`
  const errors = [{ pointer, code: 'POSTING_NOT_REVERSIBLE', detail }]
  throw new Problem('POSTING_NOT_REVERSIBLE', { detail, resourceId: forbidden.id, errors })
}

/** The records of areas that make postings, by which alone the postings can be undone. */
const recordIds = ['feeChargeId', 'facilityId', 'termDepositId', 'overdraftWriteOffId']

/** Whether an area made a posting for such a record. Clients can send the same metadata, but not as the bank. */
function isOfRecord(original: PostingRecord | null): boolean {
  if (original?.clientId !== bankSubject) return false
  const { metadata } = original.narrative
  return recordIds.some((name) => typeof metadata?.[name] === 'string')
}
