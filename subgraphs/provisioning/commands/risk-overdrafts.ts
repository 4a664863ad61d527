import type { Context } from '../../../kernel/environment/context.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import type { Block } from '../../../ledger/domain/balance.ts'
import { blocksDebits } from '../../../ledger/domain/block.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { overdraftProvisionId } from '../domain/overdraft-id.ts'
import type { RiskFacility } from '../domain/provision.ts'
import { Problem } from '../domain/problems.ts'
import {
  RiskOverdraftsDocument,
  type RiskOverdraftFragment,
  WrittenOffOverdraftsDocument,
} from '../queries.generated.ts'
import type { FacilityPage } from './facility-page.ts'

/** Reads a page of all accounts that are overdrawn or have a limit through the graph. */
export async function readOverdraftPage(
  context: Context,
  first: number,
  after: string | null,
): Promise<FacilityPage> {
  const variables = { first, after, arrangementId: null }
  const { overdraftExposures } = await context.bank.queryGraph(RiskOverdraftsDocument, variables)
  const { nodes, pageInfo } = overdraftExposures!
  return {
    facilities: await riskOverdrafts(context, nodes),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
  }
}

/** Reads the exposure of one account. Throws ARRANGEMENT_NOT_FOUND and FACILITY_WITHOUT_EXPOSURE. */
export async function readOverdraft(
  context: Context,
  arrangementId: string,
): Promise<RiskFacility> {
  const [account] = await readFacts(context, [`arrangement/${arrangementId}`])
  if (!account) throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
  const variables = { first: 1, after: null, arrangementId }
  const { overdraftExposures } = await context.bank.queryGraph(RiskOverdraftsDocument, variables)
  const [found] = await riskOverdrafts(context, overdraftExposures!.nodes)
  if (found) return found
  const detail = `${arrangementId} is not overdrawn and has no overdraft limit.`
  throw new Problem('FACILITY_WITHOUT_EXPOSURE', { detail, resourceId: arrangementId })
}

/** Reads what was written off from the overdraft of an account and not recovered, in minor units. */
export async function readWrittenOff(context: Context, arrangementId: string): Promise<bigint> {
  const found = await context.bank.queryGraph(WrittenOffOverdraftsDocument, { arrangementId })
  return found
    .overdraftWriteOffs!.nodes.map(({ unrecovered }) =>
      parseAmount(unrecovered.amount, unrecovered.currency),
    )
    .reduce((total, amountMinor) => total + amountMinor, 0n)
}

async function riskOverdrafts(
  context: Context,
  nodes: readonly RiskOverdraftFragment[],
): Promise<RiskFacility[]> {
  const subjects = nodes.map(({ arrangement }) => `arrangement/${arrangement!.arrangementId}`)
  const facts = await readFacts(context, subjects)
  return nodes.map((node, index) => riskOverdraft(node, facts[index]!))
}

function riskOverdraft(
  node: RiskOverdraftFragment,
  { partyId, blockedFor }: Record<string, unknown>,
): RiskFacility {
  const { currency } = node.overdrawn
  const minor = ({ amount }: { amount: string }) => parseAmount(amount, currency)
  // Nothing can be drawn from an account that is blocked for debits.
  const isDrawable = !blocksDebits(blockedFor as Block | null)
  return {
    facilityId: overdraftProvisionId(node.arrangement!.arrangementId),
    partyId: partyId as string,
    currency,
    segment: 'overdraft',
    principalMinor: minor(node.overdrawn),
    interestMinor: minor(node.accruedInterest),
    undrawnMinor: isDrawable ? minor(node.undrawn) : 0n,
    collateralMinor: 0n,
    daysPastDue: node.daysPastDue,
    hasOpenHardshipRequest: false,
    reliefThrough: null,
  }
}
