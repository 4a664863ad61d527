import { parse, print } from 'graphql'
import { problemOfFormatted } from '../../../gateway/errors.ts'
import { createOperation } from '../../../gateway/operation.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { createContext } from '../../../kernel/environment/context.ts'
import { Sequencer } from '../../../kernel/events/sequencer.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { fees } from '../../../subgraphs/fees/index.ts'
import { eventually } from '../../kit/eventually.ts'
import { theGraph } from '../../kit/platform.ts'
import { aCaller, aSubgraph, employee, type RunningSubgraph } from '../../kit/subgraph.ts'

/** A bank with the whole graph behind it, a clock that stands still, and workers that a test runs itself. */
export interface FeeBank extends RunningSubgraph {
  /** Runs a document; throws the problem when it is rejected. */
  act(document: string, variables?: object, caller?: Caller): Promise<any>
  /** Runs every scheduled fee run to its end. */
  work(): Promise<void>
  /** Schedules the fee runs that are due today. */
  schedule(): Promise<void>
  /** Collects outstanding fees from the accounts that were credited. */
  collect(): Promise<void>
  /** Makes every committed event readable, and charges the fees that events trigger. */
  chargeEvents(): Promise<void>
}

export const start = '2026-03-10T09:00:00.000Z'
export const eur = (amount: string) => ({ amount, currency: 'EUR' })
export const accountFee = {
  code: 'account',
  name: 'Account fee',
  frequency: 'MONTHLY',
  amount: eur('4.50'),
}

let serial = 0
export const newId = (prefix: string) => `${prefix}_${String(++serial).padStart(6, '0')}`

export async function aFeeBank(): Promise<FeeBank> {
  const [bank, graph] = await Promise.all([aSubgraph(fees, start), theGraph()])
  const run = async (document: string, variables: object, caller: Caller, key?: string) => {
    const parsed = parse(document)
    const envelope = {
      authorization: undefined,
      requestId: 'test-request',
      traceparent: undefined,
      idempotencyKey: key,
      deadlineMs: Number.MAX_SAFE_INTEGER,
    }
    const context = createContext(bank.bank, caller, envelope)
    const { data, errors } = await graph.run(
      createOperation(parsed, print(parsed)),
      variables,
      context,
    )
    if (errors) throw problemOfFormatted(errors[0]!)
    return data as any
  }
  bank.bank.queryGraph = (document, variables) =>
    run(print(document), variables as object, bankContext(bank.bank).caller)
  const drain = async (name: string) => {
    const worker = fees.workers.find((one) => one.name === `operations.${name}`)!
    while ((await worker.run(bankContext(bank.bank))) > 0);
  }
  return {
    ...bank,
    act: (document, variables = {}, caller = aCaller()) => run(document, variables, caller),
    work: () => drain('run-fees'),
    schedule: () => drain('schedule-fee-runs'),
    async collect() {
      await sequenced(bank)
      await drain('collect-fees')
    },
    async chargeEvents() {
      await sequenced(bank)
      await drain('charge-event-fees')
    },
  }
}

/** Waits until every committed event has its position in the log. */
export async function sequenced(bank: RunningSubgraph): Promise<void> {
  const sequencer = new Sequencer(bank.bank.pool, bank.bank.log, () => undefined)
  sequencer.start(bank.bank.heartbeat)
  try {
    await eventually(
      async () => (await bank.rows('select from kernel.outbox limit 1')).length === 0,
    )
  } finally {
    await sequencer.stop()
  }
}

/** An active customer who has passed KYC. */
export async function aCustomer(bank: FeeBank, name: string, segment?: string): Promise<string> {
  const ids = { partyId: `pty_${name}`, customerId: `cus_${name}` }
  await bank.act(
    `mutation ($partyId: ID!) { createParty(input: { partyId: $partyId, kind: PERSON,
      givenName: "Test", familyName: "Person" }) { partyId } }`,
    ids,
  )
  await bank.act(
    `mutation ($partyId: ID!, $customerId: ID!, $segment: Label) { createCustomer(input: {
      partyId: $partyId, customerId: $customerId, segment: $segment }) { customerId } }`,
    { ...ids, segment },
  )
  for (const step of ['startKyc', 'passKyc', 'activateCustomer']) {
    const more = step === 'passKyc' ? ', expiresOn: "2999-12-31"' : ''
    await bank.act(`mutation { ${step}(customerId: "${ids.customerId}"${more}) { customerId } }`)
  }
  return ids.customerId
}

/** An active product with these fees. */
export async function aProduct(bank: FeeBank, ...fees: object[]): Promise<string> {
  const productId = newId('prd')
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    {
      input: {
        productId,
        name: 'Everyday',
        productClass: 'current-account',
        status: 'active',
        version: '2026.1',
        currencies: ['EUR', 'USD'],
        fees,
      },
    },
  )
  return productId
}

export interface AccountRequest {
  customerId?: string
  currency?: string
  openedAt?: string
  /** The opening deposit, in the account's currency. */
  holds?: string
  overdraftLimit?: { amount: string; currency: string }
}

export async function anAccount(bank: FeeBank, productId: string, request: AccountRequest = {}) {
  const { holds, customerId = 'cus_ada', currency = 'EUR', ...more } = request
  const arrangementId = newId('arr')
  await bank.act(
    'mutation ($input: OpenAccountArrangementInput!) { openAccountArrangement(input: $input) { arrangementId } }',
    { input: { arrangementId, customerId, productId, currency, ...more } },
  )
  if (holds) await pay(bank, arrangementId, 'IN', holds, currency)
  return arrangementId
}

export async function pay(
  bank: FeeBank,
  arrangementId: string,
  direction: 'IN' | 'OUT',
  amount: string,
  currency = 'EUR',
): Promise<string> {
  const { createPostingInstruction } = await bank.act(
    `mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) {
      postingInstructionId } }`,
    { input: { arrangementId, direction, amount: { amount, currency } } },
  )
  return createPostingInstruction.postingInstructionId
}

/** Reverses a posting by hand. */
export const withdraw = (bank: FeeBank, reversesId: string) =>
  bank.act(
    `mutation ($reversesId: ID!) { createPostingInstruction(input: { reversesId: $reversesId }) { status } }`,
    { reversesId },
  )

const runFields = `feeRunId runType feeCode productId periodStart periodEnd runDate status
  counts { selected charged waived skipped failed } totals { amount currency } dryRun triggeredBy
  startedAt completedAt errors { arrangementId code } failureCode reversesRunId reversedByRunId`

/** Starts a run and returns it as scheduled. */
export async function startRun(
  bank: FeeBank,
  productId: string,
  more: object = {},
  caller?: Caller,
) {
  const { startFeeRun } = await bank.act(
    `mutation ($input: StartFeeRunInput!) { startFeeRun(input: $input) { ${runFields} } }`,
    { input: { feeCode: 'account', productId, ...more } },
    caller,
  )
  return startFeeRun
}

/** Starts a run, carries it out and returns its final state. */
export async function charge(bank: FeeBank, productId: string, more: object = {}) {
  const { feeRunId } = await startRun(bank, productId, more)
  await bank.work()
  return read(bank, feeRunId)
}

export async function read(bank: FeeBank, feeRunId: string) {
  const { feeRun } = await bank.act(
    `query ($feeRunId: ID!) { feeRun(feeRunId: $feeRunId) { ${runFields} } }`,
    { feeRunId },
  )
  return feeRun
}

export async function itemsOf(bank: FeeBank, feeRunId: string, outcome?: string): Promise<any[]> {
  const { feeRun } = await bank.act(
    `query ($feeRunId: ID!, $outcome: FeeOutcome) { feeRun(feeRunId: $feeRunId) {
      items(first: 200, outcome: $outcome) { nodes { arrangementId outcome reason periodStart
        amount { amount currency } postingInstruction { postingInstructionId status }
        receivable { feeReceivableId status outstanding { amount currency } }
        reversedBy { postingInstructionId } arrangement { state } } } } }`,
    { feeRunId, outcome },
  )
  return feeRun.items.nodes
}

export const reverse = (bank: FeeBank, feeRunId: string) =>
  bank
    .act(`mutation { reverseFeeRun(feeRunId: "${feeRunId}") { ${runFields} } }`, {}, employee)
    .then(({ reverseFeeRun }) => reverseFeeRun)

/** Fee income in a currency, according to the trial balance. */
export async function income(bank: FeeBank, currency = 'EUR'): Promise<string> {
  const { trialBalance } = await bank.act(
    `query ($currency: Currency!) { trialBalance(currency: $currency) { difference
      accounts { code credit debit } } }`,
    { currency },
  )
  if (Number(trialBalance.difference) !== 0) throw new Error('The books do not balance.')
  const own = trialBalance.accounts.find(({ code }: { code: string }) => code === 'fee-income')
  return own ? (Number(own.credit) - Number(own.debit)).toFixed(2) : '0.00'
}
