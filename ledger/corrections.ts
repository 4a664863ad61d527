import type { Queries } from '../kernel/database/read-rows.ts'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { requireBank } from '../kernel/authorization/auth.ts'
import { command } from '../kernel/writing/command.ts'
import type { Context } from '../kernel/environment/context.ts'
import { missingReference } from '../kernel/domain/problem.ts'
import { Problem } from './domain/problems.ts'
import { id, oneOf, orNull, record, text } from '../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../kernel/events/events.ts'
import { requireAnotherPerson } from '../kernel/authorization/principals.ts'
import { insert } from '../kernel/writing/writes.ts'
import { read } from './read.ts'

export const correctionStates = ['proposed', 'approved', 'rejected'] as const
export type CorrectionState = (typeof correctionStates)[number]

/** The totals of a balance by phase and side, in minor units as strings. */
export type Totals = Readonly<Record<string, string>>

/**
 * A proposal to rebuild a balance from its entries. It takes effect when a second person approves
 * it.
 */
export interface BalanceCorrection {
  correctionId: string
  accountId: string
  address: string
  state: CorrectionState
  reason: string
  proposedBy: string
  proposedAt: Date
  decidedBy: string | null
  decidedAt: Date | null
  /** The totals before the rebuild; null until the correction is approved. */
  totalsBefore: Totals | null
  /** The totals after the rebuild; null until the correction is approved. */
  totalsAfter: Totals | null
}

declareEvents(
  {
    'payments.balance-correction.proposed':
      'A correction was proposed that rebuilds a balance from its entries.',
    'payments.balance-correction.approved': 'A balance was rebuilt from its entries.',
    'payments.balance-correction.rejected': 'A proposed correction of a balance was rejected.',
  },
  record({
    correctionId: id,
    accountId: text,
    address: text,
    state: oneOf(correctionStates),
    reason: text,
    proposedBy: text,
    decidedBy: orNull(text),
  }),
)

const columns =
  'correction_id as "correctionId", account_id as "accountId", address, state, reason, ' +
  'proposed_by as "proposedBy", proposed_at as "proposedAt", decided_by as "decidedBy", ' +
  'decided_at as "decidedAt", totals_before as "totalsBefore", totals_after as "totalsAfter"'
const findSql = `select ${columns} from ledger.balance_correction where correction_id = $1`
const listSql =
  `select ${columns} from ledger.balance_correction where ($1::text is null or account_id = $1) ` +
  'and ($2::text is null or state = $2) and ($3::text is null or correction_id > $3) ' +
  'order by correction_id limit $4'
const balanceSql = 'select 1 as found from ledger.balance where account_id = $1 and address = $2'

export async function findCorrection(
  queries: Queries,
  correctionId: string,
): Promise<BalanceCorrection | null> {
  const [found] = await read<BalanceCorrection & pg.QueryResultRow>(queries, findSql, [
    correctionId,
  ])
  return found ?? null
}

/**
 * Lists corrections in the order in which they were proposed. A property of `filter` that is null
 * matches all corrections.
 */
export function listCorrections(
  queries: Queries,
  filter: { accountId: string | null; state: CorrectionState | null },
  after: string | null,
  take: number,
): Promise<BalanceCorrection[]> {
  const values = [filter.accountId, filter.state, after, take]
  return read<BalanceCorrection & pg.QueryResultRow>(queries, listSql, values)
}

export interface CorrectionInput {
  accountId: string
  address: string
  reason: string
}

/**
 * Proposes to rebuild a balance from its entries. The balance does not change until another person
 * approves the proposal. Throws NOT_FOR_DELEGATED_USERS, ARRANGEMENT_NOT_FOUND (422) for an unknown
 * account or address, and RESOURCE_EXISTS if the account has another undecided proposal.
 */
export function proposeCorrection(
  context: Context,
  input: CorrectionInput,
): Promise<BalanceCorrection> {
  requireBank(context)
  return command(context, 'proposeBalanceCorrection', input, async () => {
    const { pool } = context.bank
    const { accountId, address, reason } = input
    const [balance] = await read(pool, balanceSql, [accountId, address])
    if (!balance) throw missingReference('ARRANGEMENT_NOT_FOUND', accountId, '/accountId')
    const [undecided] = await listCorrections(pool, { accountId, state: 'proposed' }, null, 1)
    if (undecided) throw new Problem('RESOURCE_EXISTS', { resourceId: undecided.correctionId })
    const correction: BalanceCorrection = {
      correctionId: context.newId('balanceCorrection'),
      accountId,
      address,
      state: 'proposed',
      reason,
      proposedBy: context.caller.subject,
      proposedAt: context.now(),
      decidedBy: null,
      decidedAt: null,
      totalsBefore: null,
      totalsAfter: null,
    }
    return {
      result: correction,
      resourceId: correction.correctionId,
      retainsKey: true,
      writes: [
        insert('ledger.balance_correction', {
          correction_id: correction.correctionId,
          account_id: accountId,
          address,
          state: 'proposed',
          reason,
          proposed_by: correction.proposedBy,
          proposed_at: correction.proposedAt,
        }),
      ],
      events: [eventOf(correction)],
    }
  })
}

/**
 * Approves or rejects a proposed correction. An approval rebuilds the totals of the balance from
 * all of its entries, in the same commit; the running balances in the entries do not change. The
 * account stays suspended until the next check of the ledger finds no violation. Throws
 * NOT_FOR_DELEGATED_USERS, CORRECTION_NOT_FOUND, SEGREGATION_OF_DUTIES for the person who proposed
 * the correction, and INVALID_STATE_TRANSITION if the correction was already decided.
 */
export async function decideCorrection(
  context: Context,
  correctionId: string,
  state: 'approved' | 'rejected',
): Promise<BalanceCorrection> {
  requireBank(context)
  const { pool } = context.bank
  const operation = `${state === 'approved' ? 'approve' : 'reject'}BalanceCorrection`
  await command(context, operation, { correctionId }, async () => {
    const before = await findCorrection(pool, correctionId)
    if (!before) throw new Problem('CORRECTION_NOT_FOUND', { resourceId: correctionId })
    const decidedBy = context.caller.subject
    const detail =
      'A correction must be decided by someone other than the person who proposed it or who owns ' +
      'the client that proposed it.'
    await requireAnotherPerson(context, [before.proposedBy], { resourceId: correctionId, detail })
    if (before.state !== 'proposed') {
      throw new Problem('INVALID_STATE_TRANSITION', {
        resourceId: correctionId,
        currentState: before.state,
        allowedStates: [],
      })
    }
    const now = context.now()
    const after = { ...before, state, decidedBy, decidedAt: now }
    return {
      result: null,
      resourceId: correctionId,
      retainsKey: true,
      writes: [state === 'approved' ? rebuildWrite(after) : rejectionWrite(after)],
      events: [eventOf(after)],
    }
  })
  return (await findCorrection(pool, correctionId))!
}

function rebuildWrite({ correctionId, decidedBy, decidedAt }: BalanceCorrection) {
  return {
    sql: 'select 1 from claim, ledger.correct_balance($1, $2, $3, $4) as done where done',
    values: [correctionId, decidedBy, decidedAt, randomUUID()],
    rows: 1,
  }
}

function rejectionWrite({ correctionId, decidedBy, decidedAt }: BalanceCorrection) {
  return {
    sql:
      "update ledger.balance_correction c set state = 'rejected', decided_by = $2, decided_at = $3 " +
      "from claim where c.correction_id = $1 and c.state = 'proposed' returning 1",
    values: [correctionId, decidedBy, decidedAt],
    rows: 1,
  }
}

function eventOf(correction: BalanceCorrection): DomainEvent {
  const { correctionId, accountId, address, state, reason, proposedBy, decidedBy } = correction
  return {
    type: `payments.balance-correction.${state}`,
    subject: `balance-correction/${correctionId}`,
    version: state === 'proposed' ? 1 : 2,
    data: { correctionId, accountId, address, state, reason, proposedBy, decidedBy },
    parties: [],
  }
}
