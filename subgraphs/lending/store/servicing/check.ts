import type { LendingFinding } from '../../model/servicing/end-of-day.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { withLongReads } from '../../../../kernel/database/long-reads.ts'
import { readRows, type Queries } from '../../../../kernel/database/read-rows.ts'
import { isLost } from '../../domain/facilities/facility.ts'
import { sqlWhere } from '../facilities/facility.ts'

const maxFindings = 100

const balanceMismatchSql = (address: string, column: string) =>
  `select f.facility_id as subject, 'the ledger has ' || (b.committed_debit - b.committed_credit) || ', the facility ' || f.${column} as detail ` +
  "from lending.facility f join ledger.balance b on b.account_id = 'loan@' || f.facility_id " +
  `and b.address = '${address}' where b.committed_debit - b.committed_credit <> f.${column}`

/** The invariants of the loan books, each with a query that finds its violations. */
const invariants: Readonly<Record<string, string>> = {
  'the principal of a facility equals the balance of its account': balanceMismatchSql(
    'principal',
    'principal_minor',
  ),
  'the accrued interest equals the balance of its account': balanceMismatchSql(
    'accrued',
    'accrued_minor',
  ),
  'the interest due equals the balance of its account': balanceMismatchSql(
    'interest-due',
    'interest_due_minor',
  ),
  'the late fees due equal the balance of its account': balanceMismatchSql(
    'fees',
    'fees_due_minor',
  ),
  'the default interest due equals the balance of its account': balanceMismatchSql(
    'penalties',
    'penalties_due_minor',
  ),
  'every facility has a ledger account':
    "select f.facility_id as subject, 'no account' as detail from lending.facility f " +
    "where not exists (select from ledger.account a where a.account_id = 'loan@' || f.facility_id)",
  'the amounts due equal the unpaid amounts of the installments':
    'select f.facility_id as subject, ' +
    "'the unpaid installments total ' || concat_ws(', ', d.interest, d.principal, d.fees, d.penalties) as detail " +
    'from lending.facility f left join (select facility_id, ' +
    'sum(interest_minor - interest_paid_minor) as interest, ' +
    'sum(principal_minor - principal_paid_minor) as principal, ' +
    'sum(fees_minor - fees_paid_minor - fees_waived_minor) as fees, ' +
    'sum(penalties_minor - penalties_paid_minor - penalties_waived_minor) as penalties ' +
    'from lending.due_installment group by facility_id) d using (facility_id) ' +
    `where not ${sqlWhere(isLost)} and ` +
    '(f.interest_due_minor, f.principal_due_minor, f.fees_due_minor, f.penalties_due_minor) is distinct from ' +
    '(coalesce(d.interest, 0), coalesce(d.principal, 0), coalesce(d.fees, 0), coalesce(d.penalties, 0))',
  'the reserved amount equals the total of the pending drawdowns':
    "select f.facility_id as subject, 'the waiting drawdowns total ' || coalesce(d.waiting, 0) as detail " +
    'from lending.facility f left join (select facility_id, sum(amount_minor) as waiting ' +
    "from lending.drawdown where state in ('requested', 'approved') group by facility_id) d using (facility_id) " +
    'where f.reserved_minor <> coalesce(d.waiting, 0)',
  'the disbursed amount equals the total of the disbursed drawdowns':
    "select f.facility_id as subject, 'the disbursed drawdowns total ' || coalesce(d.paid, 0) as detail " +
    'from lending.facility f left join (select facility_id, sum(amount_minor) as paid ' +
    "from lending.drawdown where state = 'disbursed' group by facility_id) d using (facility_id) " +
    'where f.disbursed_minor <> coalesce(d.paid, 0)',
}

/**
 * Returns the violations of the invariants, at most 100 for each invariant; empty if there are
 * none.
 */
export function checkLending({ bank }: Context): Promise<LendingFinding[]> {
  return findViolations(bank.pool)
}

/** Like `checkLending`, but each statement may take an hour, until `stopping` aborts. */
export function checkLargeLending(
  { bank }: Context,
  stopping?: AbortSignal,
): Promise<LendingFinding[]> {
  return withLongReads(bank.pool, stopping, findViolations)
}

async function findViolations(pool: Queries): Promise<LendingFinding[]> {
  const findings: LendingFinding[] = []
  for (const [invariant, sql] of Object.entries(invariants)) {
    const limited = `${sql} limit ${maxFindings}`
    const rows = await readRows<{ subject: string; detail: string }>({ pool }, limited, [])
    findings.push(...rows.map((row) => ({ invariant, ...row })))
  }
  return findings
}
