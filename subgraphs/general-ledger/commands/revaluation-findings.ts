import type { Context } from '../../../kernel/environment/context.ts'
import { periodOf } from '../domain/period.ts'
import { Problem } from '../domain/problems.ts'
import { revaluationFinding } from '../domain/revaluation.ts'
import type { GeneralLedgerFinding } from '../model/reports.ts'
import { readBook } from '../store/book.ts'
import { readRevaluations } from '../store/revaluation.ts'
import { measurePositions } from './revaluation.ts'

/**
 * Returns what is wrong with the revaluations of the last closed period, which can still be reopened,
 * and of the revalued periods after it.
 */
export async function readRevaluationFindings(context: Context): Promise<GeneralLedgerFinding[]> {
  const [{ closedThrough }, revaluations] = await Promise.all([
    readBook(context),
    readRevaluations(context),
  ])
  const lastClosed = closedThrough === null ? null : periodOf(closedThrough)
  const revalued = revaluations
    .map(({ accountingPeriodId }) => accountingPeriodId)
    .filter((periodId) => lastClosed === null || periodId > lastClosed)
  const periodIds = [...(lastClosed === null ? [] : [lastClosed]), ...new Set(revalued)].sort()
  const findings: GeneralLedgerFinding[] = []
  // One after the other, because each reads all entries of the position accounts.
  for (const periodId of periodIds) {
    const isRevalued = revaluations.some((each) => each.accountingPeriodId === periodId)
    const finding = await findingOf(context, periodId, isRevalued)
    if (finding) findings.push(finding)
  }
  return findings
}

async function findingOf(
  context: Context,
  periodId: string,
  isRevalued: boolean,
): Promise<GeneralLedgerFinding | null> {
  try {
    const { lines, latest } = await measurePositions(context, periodId)
    return revaluationFinding(periodId, latest, lines)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const kind = isRevalued ? 'outdated-revaluation' : 'not-revalued'
    return { kind, subject: periodId, detail: error.members.detail ?? error.message }
  }
}
