import { parse, print } from 'graphql'
import { problemOfFormatted } from '../../../gateway/errors.ts'
import { createOperation } from '../../../gateway/operation.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { createContext } from '../../../kernel/environment/context.ts'
import { Sequencer } from '../../../kernel/events/sequencer.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { interest } from '../../../subgraphs/interest/index.ts'
import { eventually } from '../../kit/eventually.ts'
import { theGraph } from '../../kit/platform.ts'
import { aCaller, aSubgraph, employee, type RunningSubgraph } from '../../kit/subgraph.ts'

/** A bank with the whole graph behind it, a clock that stands still, and workers that a test runs itself. */
export interface InterestBank extends RunningSubgraph {
  /** Runs a document, with an idempotency key if there is one; throws the problem when it is rejected. */
  act(document: string, variables?: object, caller?: Caller, key?: string): Promise<any>
  /** Lets the workers see the accounts and products that changed. */
  follow(): Promise<void>
  /** Runs the nightly job to its end. */
  accrue(): Promise<void>
  /** Moves the clock to the first minutes of a day and runs the nightly job. */
  night(day: string): Promise<void>
}

export const start = '2026-01-01T09:00:00.000Z'
export const eur = (amount: string) => ({ amount, currency: 'EUR' })
/** 3.65 percent, so that 1,000.00 earns 0.10 a day. */
export const terms = {
  tiers: [{ annualRatePct: '3.65' }],
  dayCount: 'ACT_365',
  capitalization: 'MONTHLY',
}

let serial = 0
export const newId = (prefix: string) => `${prefix}_${String(++serial).padStart(6, '0')}`

export const workerOf = (name: string) =>
  interest.workers.find((one) => one.name === `accounts.${name}`)!

export async function anInterestBank(): Promise<InterestBank> {
  const [bank, graph] = await Promise.all([aSubgraph(interest, start), theGraph()])
  const run = async (document: string, variables: object, caller: Caller, key?: string) => {
    const parsed = parse(document)
    const context = createContext(bank.bank, caller, {
      authorization: undefined,
      requestId: 'test-request',
      traceparent: undefined,
      idempotencyKey: key,
      deadlineMs: Number.MAX_SAFE_INTEGER,
    })
    const operation = createOperation(parsed, print(parsed))
    const { data, errors } = await graph.run(operation, variables, context)
    if (errors) throw problemOfFormatted(errors[0]!)
    return data as any
  }
  bank.bank.queryGraph = (document, variables) =>
    run(print(document), variables as object, bankContext(bank.bank).caller)
  const drain = async (name: string) => {
    while ((await workerOf(name).run(bankContext(bank.bank))) > 0);
  }
  const own: InterestBank = {
    ...bank,
    act: (document, variables = {}, caller = employee, key?: string) =>
      run(document, variables, caller, key),
    async follow() {
      await sequenced(bank)
      await drain('follow-interest')
    },
    accrue: () => drain('accrue-interest'),
    async night(day) {
      bank.clock.set(`${day}T00:05:00.000Z`)
      await own.follow()
      await own.accrue()
    },
  }
  await aCustomer(own, 'ada')
  return own
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

export const ada = aCaller({ partyId: 'pty_ada' })

/** An active customer who has passed KYC. */
async function aCustomer(bank: InterestBank, name: string): Promise<void> {
  await bank.act(`mutation { createParty(input: { partyId: "pty_${name}", kind: PERSON,
    givenName: "Test", familyName: "Person" }) { partyId } }`)
  await bank.act(
    `mutation { createCustomer(input: { partyId: "pty_${name}", customerId: "cus_${name}" }) { customerId } }`,
  )
  for (const step of ['startKyc', 'passKyc', 'activateCustomer']) {
    const more = step === 'passKyc' ? ', expiresOn: "2999-12-31"' : ''
    await bank.act(`mutation { ${step}(customerId: "cus_${name}"${more}) { customerId } }`)
  }
}

/** A version of a savings product that is on sale. */
export async function aVersion(
  bank: InterestBank,
  productId: string,
  version: string,
  depositInterest: object | null,
): Promise<void> {
  const input = {
    productId,
    name: 'Savings',
    productClass: 'savings-account',
    status: 'active',
    version,
    currencies: ['EUR'],
    depositInterest,
  }
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    { input },
  )
}

/** A savings product with the terms. */
export async function aProduct(bank: InterestBank, more: object = {}): Promise<string> {
  const productId = newId('prd')
  await aVersion(bank, productId, '2026.1', { ...terms, ...more })
  return productId
}

/** An account of Ada under the product, with an opening deposit. */
export async function anAccount(bank: InterestBank, productId: string, holds = '1000.00') {
  const arrangementId = newId('arr')
  await bank.act(
    `mutation ($input: OpenAccountArrangementInput!) { openAccountArrangement(input: $input) { arrangementId } }`,
    { input: { arrangementId, customerId: 'cus_ada', productId } },
  )
  if (holds !== '0.00') await post(bank, arrangementId, 'IN', holds)
  return arrangementId
}

export async function post(
  bank: InterestBank,
  arrangementId: string,
  direction: 'IN' | 'OUT',
  amount: string,
  valueDate?: string,
): Promise<string> {
  const { createPostingInstruction } = await bank.act(
    `mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) {
      postingInstructionId status } }`,
    { input: { arrangementId, direction, amount: eur(amount), ...(valueDate && { valueDate }) } },
    aCaller(),
  )
  return createPostingInstruction.postingInstructionId
}

const fields = `accruedThrough accrued { amount } dueOnClosure { amount } paidThisYear { amount }
  taxWithheldThisYear { amount } nextCapitalizationOn rateOverridePct terms { version }
  payoutArrangement { arrangementId }
  accruals(first: 200) { nodes { accruedOn balance { amount } exactAmount } }
  adjustments { nodes { firstDay lastDay causedBy amount { amount } } }
  capitalizations { nodes { reason periodStart periodEnd effectiveOn gross { amount }
    taxWithheld { amount } net { amount } paidTo { arrangementId }
    postingInstruction { postingInstructionId } } }`

export async function interestOf(bank: InterestBank, arrangementId: string, caller?: Caller) {
  const { accountArrangement } = await bank.act(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { interest { ${fields} } } }`,
    { id: arrangementId },
    caller,
  )
  return accountArrangement.interest
}

export async function balanceOf(bank: InterestBank, arrangementId: string): Promise<string> {
  const { balance } = await bank.act(
    `query ($id: ID!) { balance(arrangementId: $id) { committed } }`,
    { id: arrangementId },
  )
  return balance.committed
}

/**
 * Compares the ledger with the positions and the records: the payable account holds what is accrued
 * and not paid, the days add up to the total, and the books balance. Returns the payable balance.
 */
export async function reconcile(bank: InterestBank): Promise<bigint> {
  const [ledger] = await bank.rows(
    `select coalesce(sum(case side when 'credit' then amount else -amount end), 0)::text as payable
     from ledger.entry where account_id = 'accrued-interest-payable/EUR'`,
  )
  const [positions] = await bank.rows(
    `select coalesce(sum(accrued_minor - capitalized_minor), 0)::text as payable from interest.position`,
  )
  const wrong = await bank.rows(
    `select p.arrangement_id from interest.position p
     left join (select arrangement_id, sum(units) as units from interest.daily_accrual group by 1) d using (arrangement_id)
     left join (select arrangement_id, sum(gross_minor) as paid from interest.capitalization group by 1) c using (arrangement_id)
     where coalesce(d.units, 0) <> p.accrued_units or coalesce(c.paid, 0) <> p.capitalized_minor
       or abs(p.accrued_units - p.accrued_minor::numeric * 160308000000000) > 80154000000000`,
  )
  if (wrong.length > 0) throw new Error(`The days do not add up: ${JSON.stringify(wrong)}`)
  if (ledger!['payable'] !== positions!['payable']) {
    throw new Error(`The ledger has ${ledger!['payable']}, the positions ${positions!['payable']}.`)
  }
  const { trialBalance } = await bank.act('{ trialBalance(currency: "EUR") { difference } }')
  if (Number(trialBalance.difference) !== 0) throw new Error('The books do not balance.')
  return BigInt(ledger!['payable'])
}
