import type { Context } from '../../../kernel/environment/context.ts'
import { withLongReads } from '../../../kernel/database/long-reads.ts'
import { readRows, type Queries } from '../../../kernel/database/read-rows.ts'
import type { ImpairmentStage, ProvisioningSegment } from '../model/enumerations.ts'
import type { ProvisioningFinding } from '../model/provision.ts'

/** A total of allowances, in minor units. */
export interface TotalRow {
  segment: ProvisioningSegment
  stage: ImpairmentStage | null
  currency: string
  facilities: number
  exposureMinor: bigint
  allowanceMinor: bigint
  changeMinor: bigint
}

type RawTotal = {
  [Name in keyof TotalRow]: TotalRow[Name] extends bigint ? string : TotalRow[Name]
}

const sumsSql =
  'select segment, stage, currency, count(facility_id)::int as facilities, ' +
  'sum(exposure_minor)::text as "exposureMinor", sum(allowance_minor)::text as "allowanceMinor", '
const groupSql = 'group by segment, stage, currency order by segment, stage nulls last, currency'

const totalFrom = ({ exposureMinor, allowanceMinor, changeMinor, ...row }: RawTotal): TotalRow => ({
  ...row,
  exposureMinor: BigInt(exposureMinor),
  allowanceMinor: BigInt(allowanceMinor),
  changeMinor: BigInt(changeMinor),
})

/** Reads the allowances that the bank holds, by segment, stage and currency. */
export async function readTotals({ bank }: Context): Promise<TotalRow[]> {
  const sql =
    `${sumsSql} '0' as "changeMinor" from provisioning.provision ` +
    `where allowance_minor <> 0 or exposure_minor <> 0 ${groupSql}`
  return (await readRows<RawTotal>(bank, sql, [])).map(totalFrom)
}

/** Reads the results of a run, by segment, stage and currency. */
export async function readTotalsOfRun({ bank }: Context, runId: string): Promise<TotalRow[]> {
  const sql =
    `${sumsSql} sum(allowance_minor - before_minor)::text as "changeMinor" ` +
    `from provisioning.provision_item where provisioning_run_id = $1 ${groupSql}`
  return (await readRows<RawTotal>(bank, sql, [runId])).map(totalFrom)
}

/** The allowances in one currency and the balance of their account, in minor units. */
export interface BalanceRow {
  currency: string
  allowanceMinor: bigint
  ledgerMinor: bigint
}

// One statement reads both sides, so that a commit in between cannot make a difference.
const balancesSql =
  'select currency, coalesce(p.allowance, 0)::text as "allowanceMinor", coalesce(l.balance, 0)::text as "ledgerMinor" ' +
  'from (select currency, sum(allowance_minor) as allowance from provisioning.provision group by currency) p ' +
  'full join (select currency, sum(committed_credit - committed_debit) as balance from ledger.current_balance ' +
  "where code = 'loan-loss-allowance' group by currency) l using (currency) order by currency"

/** Reads the sum of the allowances and the balance of the ledger account, by currency. */
export function readBalances({ bank }: Context): Promise<BalanceRow[]> {
  return balancesIn(bank.pool)
}

async function balancesIn(pool: Queries): Promise<BalanceRow[]> {
  interface Row {
    currency: string
    allowanceMinor: string
    ledgerMinor: string
  }
  return (await readRows<Row>({ pool }, balancesSql, [])).map((row) => ({
    currency: row.currency,
    allowanceMinor: BigInt(row.allowanceMinor),
    ledgerMinor: BigInt(row.ledgerMinor),
  }))
}

const maxFindings = 100

const historyMismatchSql =
  "select p.provision_id as subject, 'the history ends with ' || i.allowance_minor || ', the provision has ' || p.allowance_minor as detail " +
  'from provisioning.provision p join lateral (select allowance_minor from provisioning.provision_item i ' +
  'where i.provision_id = p.provision_id and not i.is_dry_run order by created_at desc, item_id desc limit 1) i on true ' +
  `where i.allowance_minor <> p.allowance_minor limit ${maxFindings}`

/** Returns the violations of the invariants of the allowances; empty if there are none. */
export function checkAllowances({ bank }: Context): Promise<ProvisioningFinding[]> {
  return findViolations(bank.pool)
}

/** Like `checkAllowances`, but each statement may take an hour, until `stopping` aborts. */
export function checkLargeAllowances(
  { bank }: Context,
  stopping?: AbortSignal,
): Promise<ProvisioningFinding[]> {
  return withLongReads(bank.pool, stopping, findViolations)
}

async function findViolations(pool: Queries): Promise<ProvisioningFinding[]> {
  const balances = await balancesIn(pool)
  const mismatches = await readRows<{ subject: string; detail: string }>(
    { pool },
    historyMismatchSql,
    [],
  )
  return [
    ...balances
      .filter(({ allowanceMinor, ledgerMinor }) => allowanceMinor !== ledgerMinor)
      .map(({ currency, allowanceMinor, ledgerMinor }) => ({
        invariant: 'the loss allowances equal the balance of their account',
        subject: currency,
        detail: `the ledger has ${ledgerMinor}, the allowances total ${allowanceMinor}`,
      })),
    ...mismatches.map((each) => ({
      invariant: 'the allowance equals the last item of its history',
      ...each,
    })),
  ]
}
