import type { Context } from '../../../kernel/environment/context.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { strategyFor } from '../domain/choose-strategy.ts'
import type { LateContract } from '../domain/contract.ts'
import { Problem } from '../domain/problems.ts'
import type { CollectionsPauseReason } from '../model/enumerations.ts'
import type {
  CollectionsPreview,
  CollectionsPreviewItem,
  CollectionsStepCount,
} from '../model/preview.ts'
import type { CollectionsStrategy } from '../model/strategy.ts'
import { runs } from '../store/run.ts'
import { findApproved, strategies } from '../store/strategy.ts'
import { pursuitsOf, type Pursuit } from './evaluate-page.ts'
import { readLatePage } from './read-late.ts'

const pageSize = 100
const maxPages = 10
const maxItems = 200

/**
 * Returns what the next nightly run would do. With a strategy, proposed or approved, only the
 * contracts to which it would apply are considered, as if it were approved and in effect. Throws
 * COLLECTIONS_STRATEGY_NOT_FOUND.
 */
export async function previewRun(
  context: Context,
  strategyId: string | null,
): Promise<CollectionsPreview> {
  const today = dateOf(context.now())
  const run = await runs.find(context, today)
  const on = run?.status === 'completed' ? addDays(today, 1) : today
  const candidates = await candidatesOf(context, strategyId, on)
  const { contracts, isComplete } = await readAllLate(context, on, on === today ? 0 : 1)
  const considered = contracts.filter(
    (each) =>
      strategyId === null ||
      strategyFor(candidates, each, on)?.collectionsStrategyId === strategyId,
  )
  const pursuits = await pursuitsOf(context, considered, candidates, on)
  return {
    businessDate: on,
    isComplete,
    contracts: pursuits.length,
    steps: stepCounts(pursuits),
    pauses: pauseCounts(pursuits),
    items: pursuits
      .filter(({ evaluation }) => evaluation.steps.length > 0 || evaluation.pause)
      .slice(0, maxItems)
      .map(itemOf),
  }
}

async function candidatesOf(
  context: Context,
  strategyId: string | null,
  on: LocalDate,
): Promise<CollectionsStrategy[]> {
  const approved = await findApproved(context)
  if (strategyId === null) return approved
  const strategy = await strategies.find(context, strategyId)
  if (!strategy) {
    throw new Problem('COLLECTIONS_STRATEGY_NOT_FOUND', { resourceId: strategyId })
  }
  const others = approved.filter((each) => each.collectionsStrategyId !== strategyId)
  const inEffect = { status: 'approved', effectiveFrom: on, decidedAt: context.now() } as const
  return [...others, { ...strategy, ...inEffect }]
}

/** Reads the contracts in arrears as they are on a day, after a number of days without a payment. */
async function readAllLate(context: Context, on: LocalDate, days: number) {
  const contracts: LateContract[] = []
  let pages = 0
  for (const phase of ['facilities', 'overdrafts'] as const) {
    for (let next: string | null = null; ;) {
      if (++pages > maxPages) return { contracts, isComplete: false }
      const page = await readLatePage(context, phase, pageSize, next, on)
      contracts.push(...page.contracts)
      next = page.next
      if (next === null) break
    }
  }
  const aged = contracts.map((each) => ({ ...each, daysPastDue: each.daysPastDue + days }))
  return { contracts: aged, isComplete: true }
}

function stepCounts(pursuits: readonly Pursuit[]): CollectionsStepCount[] {
  const counts = new Map<string, CollectionsStepCount>()
  for (const { strategy, evaluation } of pursuits) {
    for (const { code, action } of evaluation.steps) {
      const strategyId = strategy!.collectionsStrategyId
      const key = `${strategyId}/${code}`
      const count = (counts.get(key)?.count ?? 0) + 1
      counts.set(key, { strategyId, code, action, count })
    }
  }
  return [...counts.values()]
}

function pauseCounts(pursuits: readonly Pursuit[]) {
  const counts = new Map<CollectionsPauseReason, number>()
  for (const { evaluation } of pursuits) {
    if (!evaluation.pause) continue
    const { reason } = evaluation.pause
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => ({ reason, count }))
}

function itemOf({ contract, strategy, before, evaluation }: Pursuit): CollectionsPreviewItem {
  const { partyId, daysPastDue, currency, arrearsMinor } = contract
  return {
    contract: contract.contract,
    partyId,
    strategyId: strategy?.collectionsStrategyId ?? before!.collectionsStrategyId,
    daysPastDue,
    arrears: { amount: formatAmount(arrearsMinor, currency), currency },
    isNew: before === null,
    steps: evaluation.steps.map(({ code }) => code),
    pauseReason: evaluation.pause?.reason ?? null,
    nextStep: evaluation.next,
  }
}
