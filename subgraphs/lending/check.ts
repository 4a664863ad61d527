import type { Context } from '../_kernel/context.ts'
import { readRows } from '../_kernel/read-rows.ts'
import type { Worker } from '../_kernel/worker.ts'

/** Something that is not as the loan books promise. */
export interface LendingFinding {
  invariant: string
  /** The facility it was found on. */
  subject: string
  detail: string
}

const mostFindings = 100

const atAddress = (address: string, column: string) =>
  `select f.facility_id as subject, 'the ledger has ' || (b.committed_debit - b.committed_credit) || ', the facility ' || f.${column} as detail ` +
  "from lending.facility f join ledger.balance b on b.account_id = 'loan@' || f.facility_id " +
  `and b.address = '${address}' where b.committed_debit - b.committed_credit <> f.${column}`

/** What the loan books promise, each as a query that finds what breaks it. */
const invariants: Readonly<Record<string, string>> = {
  'the principal of a facility is what its account holds': atAddress(
    'principal',
    'principal_minor',
  ),
  'accrued interest is what its account holds': atAddress('accrued', 'accrued_minor'),
  'interest that is due is what its account holds': atAddress('interest-due', 'interest_due_minor'),
  'every facility has its account':
    "select f.facility_id as subject, 'no account' as detail from lending.facility f " +
    "where not exists (select from ledger.account a where a.account_id = 'loan@' || f.facility_id)",
  'what is due is what is not paid of the instalments':
    'select f.facility_id as subject, ' +
    "'instalments come to ' || coalesce(d.interest, 0) || ' and ' || coalesce(d.principal, 0) as detail " +
    'from lending.facility f left join (select facility_id, ' +
    'sum(interest_minor - interest_paid_minor) as interest, ' +
    'sum(principal_minor - principal_paid_minor) as principal ' +
    'from lending.due_instalment group by facility_id) d using (facility_id) ' +
    "where f.state not in ('charged-off', 'recovered', 'written-off', 'cancelled') and " +
    '(f.interest_due_minor, f.principal_due_minor) is distinct from (coalesce(d.interest, 0), coalesce(d.principal, 0))',
  'what is reserved is what drawdowns wait for':
    "select f.facility_id as subject, 'drawdowns wait for ' || coalesce(d.waiting, 0) as detail " +
    'from lending.facility f left join (select facility_id, sum(amount_minor) as waiting ' +
    "from lending.drawdown where state in ('requested', 'approved') group by facility_id) d using (facility_id) " +
    'where f.reserved_minor <> coalesce(d.waiting, 0)',
  'what was disbursed is what the drawdowns are':
    "select f.facility_id as subject, 'drawdowns come to ' || coalesce(d.paid, 0) as detail " +
    'from lending.facility f left join (select facility_id, sum(amount_minor) as paid ' +
    "from lending.drawdown where state = 'disbursed' group by facility_id) d using (facility_id) " +
    'where f.disbursed_minor <> coalesce(d.paid, 0)',
}

/** Everything in which the facilities and the ledger differ; nothing, if they are as promised. */
export async function checkLending({ bank }: Context): Promise<LendingFinding[]> {
  const findings: LendingFinding[] = []
  for (const [invariant, sql] of Object.entries(invariants)) {
    const limited = `${sql} limit ${mostFindings}`
    const rows = await readRows<{ subject: string; detail: string }>(bank, limited, [])
    findings.push(...rows.map((row) => ({ invariant, ...row })))
  }
  return findings
}

/** Looks whether the facilities are as the ledger says; what it finds is logged as an error. */
export const checkLendingBooks: Worker = {
  name: 'lending.check-books',
  purpose: 'Compares every facility with the ledger.',
  everyMs: 300_000,
  async run(context: Context): Promise<number> {
    for (const finding of await checkLending(context)) {
      context.bank.log.error(finding, 'the loan books are not as they promise')
    }
    return 0
  },
}
