import type { CollateralStatus } from '../../../subgraphs/collateral/model/enumerations.ts'
import { bankContext, type Worker } from '../../../kernel/work/worker.ts'
import {
  actionStatuses,
  type CollateralAction,
} from '../../../subgraphs/collateral/domain/states.ts'
import { collateralStates } from '../../../subgraphs/collateral/model/collateral.ts'
import { collateral } from '../../../subgraphs/collateral/index.ts'
export { watchCoverage, watchLapses } from '../../../subgraphs/collateral/workers/coverage.ts'
import {
  aCaller,
  aSubgraph,
  employee,
  type TestBank,
  type ExecuteOptions,
  type RunningSubgraph,
} from '../../kit/subgraph.ts'

export let bank: RunningSubgraph
export const start = '2026-03-02T09:00:00.000Z'
export const ada = aCaller({ partyId: 'pty_ada' })
export const grace = aCaller({ partyId: 'pty_grace' })

/** Starts the subgraph on a database of its own with two parties and a facility for each. */
export async function openBank(): Promise<void> {
  bank = await aSubgraph(collateral, start)
  for (const name of ['ada', 'grace']) {
    await publish(`party/pty_${name}`, { partyId: `pty_${name}` })
    await publishFacility(`fac_${name}`, { partyId: `pty_${name}` })
  }
}

const publish = (subject: string, data: object) =>
  bank.rows(
    `insert into kernel.fact values ($1, 1, $2)
      on conflict (subject) do update set data = excluded.data`,
    [subject, data],
  )

/** Publishes a facility as lending does: by default in euros, with nothing drawn. */
export const publishFacility = (facilityId: string, more: object = {}) =>
  publish(`facility/${facilityId}`, {
    facilityId,
    partyId: 'pty_ada',
    state: 'active',
    currency: 'EUR',
    outstandingMinor: '0',
    requiredCoveragePct: '100',
    ...more,
  })

let serial = 0
export const unique = (prefix: string) => `${prefix}_${++serial}`

/** Publishes a facility for use in a single test, of Ada's by default. */
export async function aFacility(more: object = {}): Promise<string> {
  const facilityId = unique('fac')
  await publishFacility(facilityId, more)
  return facilityId
}

/**
 * Runs one mutation and returns the answer with its errors. `$id` is declared when the variables
 * have it.
 */
export const tryMutation = (
  field: string,
  variables: object = {},
  options: ExecuteOptions = {},
  testBank: TestBank = bank,
) => {
  const head = 'id' in variables ? '($id: ID!)' : ''
  return testBank.execute(`mutation ${head} { act: ${field} }`, { ...variables }, options)
}

/** Runs one mutation and returns its result; throws its errors. */
export async function mutate(field: string, variables: object = {}, options: ExecuteOptions = {}) {
  const answer = await tryMutation(field, variables, options)
  if (answer.errors.length > 0) throw new Error(JSON.stringify(answer.errors))
  return answer.data.act
}

const money = 'amount currency'
export const fields = `collateralId collateralType description status statusReason haircutPct lapsed
  owners { partyId sharePct } identifiers { scheme value }
  valuation { number marketValue { ${money} } forcedSaleValue { ${money} } valuationDate method valuer nextRevaluationDue }
  priorLiens { ${money} } lendableValue { ${money} } allocatedValue { ${money} } freeValue { ${money} } proceeds { ${money} }
  links { facilityId rank amount { ${money} } pct allocated { ${money} } isCovering }
  perfection { registry reference perfectedOn expiresOn } insurance { insurer policyNumber expiresOn }`

export const euro = (amount: string) => `{ amount: "${amount}", currency: "EUR" }`
export const out = (amount: string) => ({ amount, currency: 'EUR' })

export const creating = (content: string, options: ExecuteOptions = {}) => {
  const type = content.includes('collateralType') ? '' : 'collateralType: "cash-deposit"'
  return tryMutation(`createCollateral(input: { ${type} ${content} }) { ${fields} }`, {}, options)
}

/** Creates active collateral with this lendable value in euros and no haircut. */
export async function aCollateral(amount: string, more = ''): Promise<string> {
  const { data, errors } = await creating(
    `valuation: { marketValue: ${euro(amount)}, method: APPRAISAL } ${more}`,
  )
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return data.act.collateralId
}

export const valuing = (id: string, amount: string, more = '') =>
  tryMutation(
    `valueCollateral(input: { collateralId: $id, marketValue: ${euro(amount)}, method: INDEX ${more} }) { ${fields} }`,
    { id },
  )

export const allocating = (
  id: string,
  facilityId: string,
  more = '',
  testBank: TestBank = bank,
) => {
  const input = `collateralId: $id, facilityId: "${facilityId}" ${more}`
  return tryMutation(`allocateCollateral(input: { ${input} }) { ${fields} }`, { id }, {}, testBank)
}

/** What can be done with collateral: an action on its data or a change of its status. */
export type Action =
  CollateralAction | keyof typeof collateralStates.transitions | 'recordLiquidation'

interface ActionRule {
  from: readonly CollateralStatus[]
  /** The resulting status; null if it depends on the current status. */
  to: CollateralStatus | null
}

const dataActions = Object.entries(actionStatuses).map(([name, from]) => [name, { from, to: null }])

/** The statuses in which each action is allowed, and the resulting status. */
export const actions: Record<Action, ActionRule> = {
  ...(Object.fromEntries(dataActions) as Record<CollateralAction, ActionRule>),
  ...collateralStates.transitions,
  recordLiquidation: { from: ['liquidation'], to: 'liquidated' },
}

export const mutationOf: Record<Action, string> = {
  update: 'updateCollateral(input: { collateralId: $id, description: "A garage" })',
  value: `valueCollateral(input: { collateralId: $id, marketValue: ${euro('90')}, method: INDEX })`,
  perfect: 'perfectCollateral(input: { collateralId: $id, registry: "Land register" })',
  insure:
    'insureCollateral(input: { collateralId: $id, insurer: "Mutual", expiresOn: "2027-01-01" })',
  allocate: `allocateCollateral(input: { collateralId: $id, facilityId: "fac_ada", amount: ${euro('1')} })`,
  deallocate: 'deallocateCollateral(collateralId: $id, facilityId: "fac_grace")',
  impairCollateral: 'impairCollateral(collateralId: $id, reason: "Fire")',
  restoreCollateral: 'restoreCollateral(collateralId: $id)',
  requestCollateralRelease: 'requestCollateralRelease(collateralId: $id)',
  withdrawCollateralRelease: 'withdrawCollateralRelease(collateralId: $id)',
  releaseCollateral: 'releaseCollateral(collateralId: $id)',
  liquidateCollateral: 'liquidateCollateral(collateralId: $id)',
  recordLiquidation: `recordLiquidation(collateralId: $id, proceeds: ${euro('70')})`,
  rejectCollateral: 'rejectCollateral(collateralId: $id, reason: "Not ours")',
}

const paths: Record<CollateralStatus, Action[]> = {
  proposed: [],
  valued: ['value'],
  active: ['value', 'perfect'],
  impaired: ['value', 'perfect', 'impairCollateral'],
  'release-pending': ['value', 'perfect', 'requestCollateralRelease'],
  released: ['value', 'perfect', 'requestCollateralRelease', 'releaseCollateral'],
  liquidation: ['value', 'perfect', 'liquidateCollateral'],
  liquidated: ['value', 'perfect', 'liquidateCollateral', 'recordLiquidation'],
  rejected: ['rejectCollateral'],
}

export const does = (name: Action, id: string, options: ExecuteOptions = { caller: employee }) =>
  tryMutation(`${mutationOf[name]} { ${fields} }`, { id }, options)

/** Creates collateral in a state, allocated to `fac_grace` where the state permits it. */
export async function collateralIn(status: CollateralStatus): Promise<string> {
  const { collateralId } = (await creating('owners: [{ partyId: "pty_ada" }]')).data.act
  for (const name of paths[status]) {
    await mutate(`${mutationOf[name]} { status }`, { id: collateralId }, { caller: employee })
    if (name === 'value') await allocating(collateralId, 'fac_grace', 'pct: "50"')
  }
  return collateralId
}

export const read = (id: string, options: ExecuteOptions = {}) =>
  bank.execute(`query ($id: ID!) { collateral(collateralId: $id) { ${fields} } }`, { id }, options)

export const eventsOf = async (subject: string) =>
  (await bank.events()).filter((event) => event.subject === subject).map(({ type }) => type)

/** Runs a worker until it has nothing more to do; returns how many items it processed. */
export async function runs(worker: Worker): Promise<number> {
  for (let done = 0; ;) {
    const more = await worker.run(bankContext(bank.bank))
    if (more === 0) return done
    done += more
  }
}
