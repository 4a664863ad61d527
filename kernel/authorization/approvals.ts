import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../environment/context.ts'
import { approvalText, type ApprovalRequest } from '../domain/approval.ts'
import { Problem } from '../domain/problem.ts'
import { realNow } from '../work/clock.ts'
import { readFacts } from '../writing/facts.ts'
import type { Write } from '../writing/writes.ts'
import { passkeyHolderSubject, requireRecentPasskey } from './step-up.ts'

/** How long an approval is valid, from its request to its use (RTS, article 4 (3) (d)). */
const validMs = 5 * 60_000

/**
 * Whether strong customer authentication applies to an operation of the caller, who must be a
 * customer that acts for a party. It applies if the caller or one of the `owners` of what the
 * operation changes has a passkey, or if the setting requires one from everybody. It never applies
 * to the bank, its employees, or integrators that act for themselves.
 */
export async function isUnderStrongAuthentication(
  context: Context,
  owners: readonly string[],
): Promise<boolean> {
  const { partyId } = context.caller
  if (partyId === null) return false
  if (context.bank.config.isStrongAuthenticationRequired) return true
  const parties = [...new Set([partyId, ...owners])]
  const facts = await readFacts(context, parties.map(passkeyHolderSubject))
  return facts.some((fact) => fact?.['hasPasskey'] === true)
}

/**
 * Requires a log-in with a passkey during the last five minutes if strong customer authentication
 * applies, for changes that pay nobody but could prepare a fraud (PSD2, article 97 (1) (c)). Throws
 * INSUFFICIENT_USER_AUTHENTICATION.
 */
export async function requireStrongLogIn(
  context: Context,
  owners: readonly string[],
): Promise<void> {
  if (!(await isUnderStrongAuthentication(context, owners))) return
  requireRecentPasskey(context.caller, realNow().getTime())
}

/** Returns the SHA-256 of a canonical text, by which an approval is found again. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/**
 * Returns the challenge that the passkey signs: the SHA-256 of the canonical text and a nonce, in
 * base64url. The signature is the authentication code that is specific to the amount and the payee
 * (RTS, article 5 (1) (b)).
 */
export const approvalChallenge = (text: string, nonce: string): string =>
  hashOf(`${text}\n${nonce}`)

interface ApprovalRow {
  approval_id: string
  approved_at: Date | null
}

const openSql =
  'select approval_id, approved_at from kernel.approval where party_id = $1 and data_hash = $2 ' +
  'and consumed_at is null and expires_at > $3 order by approved_at nulls last, approval_id limit 1'
const insertSql =
  'insert into kernel.approval (approval_id, party_id, action, text, data_hash, nonce, created_at, expires_at) ' +
  'values ($1, $2, $3, $4, $5, $6, $7, $8)'
const consumeSql =
  'update kernel.approval t set consumed_at = $2::timestamptz from claim where t.approval_id = $1 ' +
  'and t.approved_at is not null and t.consumed_at is null and t.expires_at > $2::timestamptz returning 1'

/**
 * Requires that the customer approved exactly this request with a passkey during the last five
 * minutes. Returns the write that uses the approval, which belongs in the commit of the approved
 * operation: of two commits, only one can use it. Throws APPROVAL_REQUIRED with the page on which
 * the customer approves; then the client repeats the operation unchanged.
 *
 * The request for an approval is stored at once, outside of the commit, because the operation itself
 * is rejected. Times are real, because callers can move the clock of a sandbox.
 */
export async function requireApproval(
  { bank, newId }: Context,
  request: ApprovalRequest,
): Promise<Write> {
  const { partyId, action } = request
  const text = approvalText(request)
  const hash = hashOf(text)
  const now = realNow()
  const { rows } = await bank.pool.query<ApprovalRow>(openSql, [partyId, hash, now])
  const [open] = rows
  if (open?.approved_at) return { sql: consumeSql, values: [open.approval_id, now], rows: 1 }
  const approvalId = open?.approval_id ?? newId('approval')
  if (!open) {
    const nonce = randomBytes(32).toString('base64url')
    const expiresAt = new Date(now.getTime() + validMs)
    const values = [approvalId, partyId, action, text, hash, nonce, now, expiresAt]
    await bank.pool.query(insertSql, values)
  }
  throw new Problem('APPROVAL_REQUIRED', {
    detail:
      'The customer must approve exactly this operation. Open approvalUrl in the browser, then repeat the request unchanged.',
    approvalId,
    approvalUrl: `${bank.issuer}/oauth/approve/${approvalId}`,
  })
}
