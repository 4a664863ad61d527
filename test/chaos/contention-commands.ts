import { accountsProduct, eur, type Facility, type TestAccounts } from './contention-accounts.ts'
import { graphRequest } from './contention-client.ts'
import {
  pick,
  uniqueId,
  type Effect,
  type Movement,
  type MovementKind,
  type Producer,
} from './contention-movement.ts'
import { pickAccount, pickMinor, pickTwo, type PostingKind } from './contention-postings.ts'

/** A standing order that was accepted, and the effects of its one execution. */
export interface AcceptedOrder {
  standingOrderId: string
  endToEndId: string
  effects: readonly Effect[]
}

/** Work that workers carry out after the request was answered. */
export interface BackgroundWork {
  orders: AcceptedOrder[]
  feeRunIds: string[]
}

export type CommandKind = Exclude<MovementKind, PostingKind>

/** The movements that book within a command with records of its own, sent as GraphQL mutations. */
export function commandProducers(
  accounts: TestAccounts,
  background: BackgroundWork,
): Record<CommandKind, Producer> {
  const { limits, loans } = accounts
  const feeCodes = [...accounts.feeCodes]
  return {
    transfers: (random) => transfer(accounts, random),
    'standing-orders': (random) => standingOrder(accounts, background.orders, random),
    drawdowns: (random) => drawdown(pick(limits, random), pickMinor(random)),
    repayments: (random) => {
      const facility = pick(random() < 0.5 ? limits : loans, random)
      return pays('repayments', 'recordRepayment', facility, {}, pickMinor(random))
    },
    'extra-payments': (random) => {
      const terms = { strategy: 'REDUCE_TERM' }
      return pays('extra-payments', 'createExtraPayment', pick(loans, random), terms, 100)
    },
    blocks: (random) => block(pickAccount(accounts, random), pick(blockKinds, random)),
    'fee-runs': () => {
      const feeCode = feeCodes.pop()
      return feeCode === undefined ? null : feeRun(feeCode, background.feeRunIds)
    },
  }
}

const blockKinds = ['DEBIT', 'CREDIT', 'ALL']

function mutation(
  kind: CommandKind,
  document: string,
  variables: object,
  effects: readonly Effect[] = [],
): Movement {
  const request = graphRequest(`key-${uniqueId()}`, document, variables)
  return { kind, request, effects, endToEndIds: [] }
}

function transfer(accounts: TestAccounts, random: () => number): Movement {
  const { input, effects } = order(accounts, random)
  const document = `mutation ($input: CreateTransferInput!) {
    movement: createTransfer(input: $input) { paymentId state } }`
  return {
    ...mutation('transfers', document, { input }, effects),
    endToEndIds: [input.endToEndId],
  }
}

function order(accounts: TestAccounts, random: () => number) {
  const minor = pickMinor(random)
  const [debtorArrangementId, creditorArrangementId] = pickTwo(accounts, random)
  return {
    input: {
      debtorArrangementId,
      creditorArrangementId,
      amount: eur(minor),
      endToEndId: uniqueId(),
    },
    effects: [
      { accountId: debtorArrangementId, committed: -minor },
      { accountId: creditorArrangementId, committed: minor },
    ],
  }
}

/** An order that starts today and is executed once, by the worker of any process. */
function standingOrder(
  accounts: TestAccounts,
  orders: AcceptedOrder[],
  random: () => number,
): Movement {
  const { input, effects } = order(accounts, random)
  const startsOn = new Date().toISOString().slice(0, 10)
  const terms = { frequency: 'MONTHLY', startsOn, maxExecutions: 1 }
  const document = `mutation ($input: CreateStandingOrderInput!) {
    movement: createStandingOrder(input: $input) { standingOrderId } }`
  return {
    ...mutation('standing-orders', document, { input: { ...input, ...terms } }),
    onDone: ({ data }) => {
      const { standingOrderId } = data.movement
      orders.push({ standingOrderId, endToEndId: input.endToEndId, effects })
    },
  }
}

function drawdown(facility: Facility, minor: number): Movement {
  const { facilityId, settlementArrangementId: accountId } = facility
  const document = `mutation ($input: CreateDrawdownInput!) {
    movement: createDrawdown(input: $input) { drawdownId status postingInstructionId } }`
  const input = { facilityId, amount: eur(minor).amount }
  return mutation('drawdowns', document, { input }, [{ accountId, committed: minor }])
}

/** Pays toward a facility from its settlement account. */
function pays(
  kind: 'repayments' | 'extra-payments',
  field: 'recordRepayment' | 'createExtraPayment',
  { facilityId, settlementArrangementId: accountId }: Facility,
  terms: object,
  minor: number,
): Movement {
  const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`
  const document = `mutation ($input: ${type}!) {
    movement: ${field}(input: $input) { status postingInstructionId } }`
  const { amount } = eur(minor)
  const input = { facilityId, amount, sourceArrangementId: accountId, ...terms }
  return mutation(kind, document, { input }, [{ accountId, committed: -minor }])
}

/** Blocks an account; the same client unblocks it right after. */
function block(arrangementId: string, kind: string): Movement {
  const document = `mutation ($id: ID!, $kind: BlockKind!) {
    movement: blockAccountArrangement(arrangementId: $id, kind: $kind) { state } }`
  const blocked = mutation('blocks', document, { id: arrangementId, kind })
  return { ...blocked, onDone: () => unblock(arrangementId) }
}

function unblock(arrangementId: string): Movement {
  const document = `mutation ($id: ID!) {
    movement: unblockAccountArrangement(arrangementId: $id) { state } }`
  return mutation('blocks', document, { id: arrangementId })
}

function feeRun(feeCode: string, feeRunIds: string[]): Movement {
  const document = `mutation ($input: StartFeeRunInput!) {
    movement: startFeeRun(input: $input) { feeRunId } }`
  const input = { feeCode, productId: accountsProduct }
  return {
    ...mutation('fee-runs', document, { input }),
    onDone: ({ data }) => void feeRunIds.push(data.movement.feeRunId),
  }
}
