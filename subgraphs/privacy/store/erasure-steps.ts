import { personalDataRegister, registeredRows } from '../../../kernel/domain/personal-data.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { columnsByTable, quotedTable } from '../domain/columns.ts'
import type { DataSubject } from '../domain/data-subject.ts'
import { erasureSteps, type ErasureStep } from '../domain/erasure-plan.ts'
import { readColumns } from './columns.ts'

/** Returns the steps that erase the data of a party or an employee now. */
export async function readSteps(
  { bank, now }: Context,
  kind: DataSubject['kind'],
): Promise<ErasureStep[]> {
  const tables = columnsByTable(await readColumns(bank.pool))
  return erasureSteps(registeredRows(personalDataRegister()), tables, kind, now())
}

const countSql = 'select kernel.count_rows($1::regclass, $2, $3) as count'

/** Returns whether any of the steps would change a row of a person. */
export async function changesRows(
  { bank }: Context,
  steps: readonly ErasureStep[],
  id: string,
): Promise<boolean> {
  for (const { table, erasable } of steps) {
    const values = [quotedTable(table), erasable, id]
    const [row] = await readRows<{ count: number }>(bank, countSql, values)
    if (row!.count > 0) return true
  }
  return false
}
