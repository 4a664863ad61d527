import type { Pool } from 'pg'

/** An approval that a customer can still give. */
export interface PendingApproval {
  approvalId: string
  partyId: string
  action: string
  /** The canonical text of the data (`kernel/domain/approval.ts`). */
  text: string
  nonce: string
}

const findSql =
  'select approval_id as "approvalId", party_id as "partyId", action, text, nonce ' +
  'from kernel.approval where approval_id = $1 and approved_at is null and consumed_at is null ' +
  'and expires_at > $2'
const approveSql =
  'with approved as (update kernel.approval set approved_at = $2, approved_by = $3, ' +
  'credential_id = $4, evidence = $5 where approval_id = $1 and approved_at is null ' +
  'and consumed_at is null and expires_at > $2 returning approval_id) ' +
  'select kernel.write_identity_records($6::json, $7::json) from approved'

/** Finds an approval that is neither given nor expired; null if there is none. */
export async function findPendingApproval(
  pool: Pool,
  approvalId: string,
  now: Date,
): Promise<PendingApproval | null> {
  const { rows } = await pool.query<PendingApproval>(findSql, [approvalId, now])
  return rows[0] ?? null
}

/**
 * Records that a person gave an approval, with the response of the authenticator as evidence
 * (Directive (EU) 2015/2366, article 72), and writes the record of identity in the same statement.
 * Returns false if it was given or expired in the meantime.
 */
export async function recordApproval(
  pool: Pool,
  approvalId: string,
  approver: { username: string; credentialId: string; evidence: object },
  now: Date,
  record: [string, string],
): Promise<boolean> {
  const { username, credentialId, evidence } = approver
  const values = [approvalId, now, username, credentialId, JSON.stringify(evidence), ...record]
  const { rowCount } = await pool.query(approveSql, values)
  return rowCount === 1
}

/** Deletes approvals that expired without being given. Given approvals are evidence. */
export async function pruneApprovals(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from kernel.approval where approved_at is null and expires_at <= $1', [
    now,
  ])
}
