import type { Pool } from 'pg'
import type { Load } from './contention-load.ts'
import type { Effect, Movement } from './contention-movement.ts'

interface Position {
  committed: number
  pendingIn: number
  pendingOut: number
}

const positionsSql = `select account_id as "accountId", (committed_credit - committed_debit)::float8 as committed,
    (pending_in_credit - pending_in_debit)::float8 as "pendingIn",
    (pending_out_debit - pending_out_credit)::float8 as "pendingOut"
  from ledger.current_balance where address = 'default' and account_id = any($1)`

const maxFindings = 20

/**
 * The expected balances of the accounts: the opening balances and the effects of every acknowledged
 * movement. It is independent of how the ledger works.
 */
export class LedgerModel {
  readonly #positions: Map<string, Position>
  /** End-to-end ids of acknowledged postings, with the idempotency key of each. */
  readonly endToEndIds = new Map<string, string>()
  /** Ids of postings that responses contained, with the idempotency key of each. */
  readonly postingIds = new Map<string, string>()

  private constructor(positions: Map<string, Position>) {
    this.#positions = positions
  }

  /** Starts from the current balances of the accounts. */
  static async open(pool: Pool, accountIds: readonly string[]): Promise<LedgerModel> {
    return new LedgerModel(await readPositions(pool, accountIds))
  }

  /** Adds an acknowledged movement and the ids in its response. */
  accept({ request: { key }, effects, endToEndIds }: Movement, body: any): void {
    this.apply(effects)
    for (const id of endToEndIds) this.endToEndIds.set(id, key)
    const records = body.instructions ?? [body.data?.movement ?? body]
    for (const { postingInstructionId: id } of records) if (id) this.postingIds.set(id, key)
  }

  apply(effects: readonly Effect[]): void {
    for (const { accountId, committed = 0, pendingIn = 0, pendingOut = 0 } of effects) {
      const position = this.#positions.get(accountId)!
      position.committed += committed
      position.pendingIn += pendingIn
      position.pendingOut += pendingOut
    }
  }

  /** Every account whose balance differs from the acknowledged movements. */
  async differences(pool: Pool, doubtful: Load['doubtful'] = []): Promise<string[]> {
    const actual = await readPositions(pool, [...this.#positions.keys()])
    const findings: string[] = []
    for (const [accountId, expected] of this.#positions) {
      const [is, should] = [actual.get(accountId), expected].map((each) => JSON.stringify(each))
      if (is === should) continue
      findings.push(`model: ${accountId} has ${is} and should have ${should}`)
      for (const { movement, refusal } of doubtful) {
        const { kind, request, effects } = movement
        const own = effects.filter((effect) => effect.accountId === accountId)
        if (own.length === 0) continue
        findings.push(`suspect: ${kind} ${request.key} ${refusal} ${JSON.stringify(own)}`)
      }
    }
    return findings
  }
}

async function readPositions(pool: Pool, ids: readonly string[]): Promise<Map<string, Position>> {
  const { rows } = await pool.query<Position & { accountId: string }>(positionsSql, [ids])
  return new Map(
    rows.map(({ accountId, committed, pendingIn, pendingOut }) => [
      accountId,
      { committed, pendingIn, pendingOut },
    ]),
  )
}

const journalSql = `select p.posting_instruction_id as id, p.status,
    p.details::json -> 'narrative' ->> 'endToEndId' as "endToEndId",
    i.fee_run_id is not null or m.fee_receivable_id is not null
      or exists (select from ledger.entry e where e.posting_instruction_id = p.posting_instruction_id
        and e.account_id like 'loan@%') as "isOfCommand"
  from ledger.posting_instruction p
  left join operations.fee_run_item i using (posting_instruction_id)
  left join operations.fee_receivable_movement m using (posting_instruction_id)
  where p.posting_instruction_id <> all($1)`

/** The ids of all postings so far. */
export async function readPostingIds(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select posting_instruction_id as id from ledger.posting_instruction',
  )
  return rows.map(({ id }) => id)
}

/**
 * Compares the journal with what was acknowledged: every acknowledged posting is booked once and
 * accepted, and no posting is booked without an acknowledgment.
 */
export async function compareJournal(
  pool: Pool,
  { endToEndIds, postingIds }: LedgerModel,
  before: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{
    id: string
    status: string
    endToEndId: string | null
    isOfCommand: boolean
  }>(journalSql, [before])
  const findings: string[] = []
  const ids = new Set<string>()
  const accepted = new Set<string>()
  for (const { id, status, endToEndId, isOfCommand } of rows) {
    if (status !== 'accepted') continue
    ids.add(id)
    if (endToEndId !== null && accepted.has(endToEndId)) {
      findings.push(`doubled: ${endToEndId}, sent as ${endToEndIds.get(endToEndId)}`)
    }
    if (endToEndId !== null) accepted.add(endToEndId)
    const isKnown = isOfCommand || (endToEndId !== null && endToEndIds.has(endToEndId))
    if (!isKnown) findings.push(`posted without an acknowledgment: ${id} ${endToEndId}`)
  }
  for (const [id, key] of endToEndIds) if (!accepted.has(id)) findings.push(`lost: ${id} of ${key}`)
  for (const [id, key] of postingIds) if (!ids.has(id)) findings.push(`lost: ${id} of ${key}`)
  return findings.slice(0, maxFindings)
}
