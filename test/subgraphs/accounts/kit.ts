import type { ArrangementState } from '../../../subgraphs/accounts/model/enumerations.ts'
import { expect } from 'vitest'
import { arrangementStates } from '../../../subgraphs/accounts/model/arrangement.ts'
import { accounts } from '../../../subgraphs/accounts/index.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

export let bank: RunningSubgraph
export const start = '2026-03-02T09:00:00.000Z'

/** Starts the subgraph on a database of its own with two customers and a product. */
export async function openBank(): Promise<void> {
  bank = await aSubgraph(accounts, start)
  await aCustomer('cus_ada')
  await aCustomer('cus_grace')
  await aProduct('prd_current', {})
}

export const publish = (subject: string, data: object) =>
  bank.rows(
    'insert into kernel.fact values ($1, 1, $2) on conflict (subject) do update set data = $2',
    [subject, data],
  )

export function aCustomer(customerId: string, more: object = {}) {
  const partyId = customerId.replace('cus_', 'pty_')
  const good = { customerId, partyId, status: 'active', kycState: 'passed', kycExpiresOn: null }
  return publish(`customer/${customerId}`, { ...good, ...more })
}

export function aProduct(productId: string, ...versions: object[]) {
  const good = {
    version: '2026.1',
    name: 'Everyday',
    productClass: 'current-account',
    status: 'active',
    isOpenable: true,
    currencies: ['EUR', 'USD'],
    effectiveFrom: null,
    effectiveTo: null,
    maxPerCustomer: null,
    parameters: [
      { name: 'overdraftLimit', type: 'amount', minimum: '0', maximum: '1000', default: null },
      { name: 'statementDay', type: 'integer', minimum: '1', maximum: '28', default: '1' },
    ],
  }
  return publish(`product/${productId}`, {
    productId,
    versions: versions.map((version) => ({ ...good, ...version })),
  })
}

export const ada = aCaller({ partyId: 'pty_ada' })
export const grace = aCaller({ partyId: 'pty_grace' })

export const open = `mutation ($input: OpenAccountArrangementInput!) { openAccountArrangement(input: $input) {
  arrangementId customerId partyId productId productVersion state openedAt currency accountNumber nickname
  overdraftLimit { amount currency } parameters product { productId version } customer { customerId } } }`

let serial = 0
export const newId = () => `arr_${++serial}`
export const content = (more: object = {}) => ({
  customerId: 'cus_ada',
  productId: 'prd_current',
  ...more,
})
export const opening = (more: object = {}, options: object = {}) =>
  bank.execute(open, { input: content(more) }, options)

export const eventsOf = async (arrangementId: string) =>
  (await bank.events()).filter(({ subject }) => subject === `arrangement/${arrangementId}`)

export const counts = async () =>
  (
    await bank.rows(
      'select (select count(*) from accounts.arrangement)::int as rows, (select sum(open) from accounts.product_holding)::int as open',
    )
  )[0]

export const mutationOf = {
  activate: 'activateAccountArrangement(arrangementId: $id)',
  reject: 'rejectAccountArrangement(arrangementId: $id, reason: "no")',
  cancel: 'cancelAccountArrangement(arrangementId: $id)',
  block: 'blockAccountArrangement(arrangementId: $id, kind: DEBIT, reason: "lost card")',
  unblock: 'unblockAccountArrangement(arrangementId: $id)',
  markDormant: 'markAccountArrangementDormant(arrangementId: $id)',
  reactivate: 'reactivateAccountArrangement(arrangementId: $id)',
  requestClosure: 'requestAccountArrangementClosure(arrangementId: $id)',
  cancelClosure: 'cancelAccountArrangementClosure(arrangementId: $id)',
  close: 'closeAccountArrangement(arrangementId: $id)',
}
export type ArrangementAction = keyof typeof mutationOf

type Mutation = keyof (typeof arrangementStates)['transitions']

/** The declared transition that an action makes. */
export const transitionOf = (act: ArrangementAction) =>
  arrangementStates.transitions[mutationOf[act].split('(')[0] as Mutation]

export const paths: Record<ArrangementState, ArrangementAction[]> = {
  pending: [],
  active: ['activate'],
  blocked: ['activate', 'block'],
  dormant: ['activate', 'markDormant'],
  'pending-closure': ['activate', 'requestClosure'],
  closed: ['activate', 'requestClosure', 'close'],
  rejected: ['reject'],
  cancelled: ['cancel'],
}

export const does = (act: ArrangementAction, id: string, caller = aCaller()) =>
  bank.execute(
    `mutation ($id: ID!) { act: ${mutationOf[act]} { state stateReason blockedFor closedAt } }`,
    { id },
    { caller },
  )

export async function arrangementIn(state: ArrangementState): Promise<string> {
  const { data } = await opening({ state: 'pending' })
  const id = data.openAccountArrangement.arrangementId as string
  for (const act of paths[state]) expect((await does(act, id)).errors).toEqual([])
  return id
}
