import { bankContext } from '../../../kernel/work/worker.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { accounts } from '../../../subgraphs/accounts/index.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { eur, newId, workerOf, type InterestBank } from './kit.ts'

export const proposer = aCaller({ subject: 'liam' })
export const approver = aCaller({ subject: 'anna' })

/** 3.65 and 7.30 percent, so that 1,000.00 costs 0.10 a day within the limit and 0.20 beyond it. */
export const overdraftTerms = { annualRatePct: '3.65', unarrangedRatePct: '7.30' }

/** A current account product with overdraft terms. */
export async function aCurrentProduct(bank: InterestBank, more: object = {}): Promise<string> {
  const productId = newId('prd')
  const input = {
    productId,
    name: 'Current account',
    productClass: 'current-account',
    status: 'active',
    version: '2026.1',
    currencies: ['EUR'],
    parameters: [{ name: 'overdraftLimit', type: 'AMOUNT', minimum: '100', maximum: '5000' }],
    overdraft: { ...overdraftTerms, ...more },
  }
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    { input },
  )
  return productId
}

/** An account of Ada, with a limit if one is given. */
export async function aCurrentAccount(bank: InterestBank, productId: string, limit?: string) {
  const arrangementId = newId('arr')
  const input = {
    arrangementId,
    customerId: 'cus_ada',
    productId,
    ...(limit && { overdraftLimit: eur(limit) }),
  }
  await bank.act(
    `mutation ($input: OpenAccountArrangementInput!) { openAccountArrangement(input: $input) { arrangementId } }`,
    { input },
  )
  return arrangementId
}

export async function propose(
  bank: InterestBank,
  arrangementId: string,
  limit: string,
  more: object = {},
): Promise<string> {
  const input = { arrangementId, limit: eur(limit), reason: 'Agreed by telephone', ...more }
  const { proposeOverdraft } = await bank.act(
    'mutation ($input: ProposeOverdraftInput!) { proposeOverdraft(input: $input) { overdraftId state } }',
    { input },
    proposer,
  )
  return proposeOverdraft.overdraftId
}

export const approve = (bank: InterestBank, overdraftId: string, caller: Caller = approver) =>
  bank.act(
    'mutation ($id: ID!) { approveOverdraft(overdraftId: $id) { state } }',
    { id: overdraftId },
    caller,
  )

/** An overdraft that two persons agreed on. */
export async function arrange(
  bank: InterestBank,
  arrangementId: string,
  limit: string,
  more: object = {},
): Promise<string> {
  const overdraftId = await propose(bank, arrangementId, limit, more)
  await approve(bank, overdraftId)
  return overdraftId
}

const overdraft = `overdraftId state limit { amount } interestFreeAmount { amount } annualRatePct
  unarrangedRatePct validFrom validTo reason proposedBy decidedBy`
const interest = `accruedThrough accrued { amount } daysBeyondLimit nextChargeOn dueOnClosure { amount }
  chargedThisYear { amount }
  accruals(first: 200) { nodes { accruedOn overdrawn { amount } exactAmount daysBeyondLimit isSuspended overdraftId } }
  adjustments { nodes { firstDay lastDay causedBy amount { amount } } }
  charges(first: 50) { nodes { reason periodStart periodEnd effectiveOn amount { amount }
    postingInstruction { postingInstructionId } } }`

export async function accountOf(bank: InterestBank, arrangementId: string, caller?: Caller) {
  const { accountArrangement } = await bank.act(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) {
      state overdraftLimit { amount } balances { committed available }
      overdraft { ${overdraft} } overdrafts { ${overdraft} } overdraftInterest { ${interest} } } }`,
    { id: arrangementId },
    caller,
  )
  return accountArrangement
}

const limitWorker = accounts.workers.find(
  ({ name }) => name === 'accounts.change-overdraft-limits',
)!

const runToEnd = async (bank: InterestBank, worker: typeof limitWorker) => {
  while ((await worker.run(bankContext(bank.bank))) > 0);
}

/** Changes the limits of accounts whose overdrafts begin or have ended. */
export const changeLimits = (bank: InterestBank) => runToEnd(bank, limitWorker)

/** Moves the clock to the first minutes of a day, and runs what is due then. */
export async function nightOf(bank: InterestBank, day: string): Promise<void> {
  await bank.night(day)
  await runToEnd(bank, workerOf('accrue-overdraft-interest'))
  await runToEnd(bank, workerOf('accrue-commitment-fees'))
  await changeLimits(bank)
}

/**
 * Compares the ledger with the positions: the receivable account holds what is accrued and not
 * charged, and the days add up to the total. Returns the receivable balance in minor units.
 */
export async function reconcileOverdrafts(bank: InterestBank): Promise<bigint> {
  const [ledger] = await bank.rows(
    `select coalesce(sum(case side when 'debit' then amount else -amount end), 0)::text as due
     from ledger.entry where account_id = 'accrued-interest-receivable/EUR'`,
  )
  const [positions] = await bank.rows(
    `select coalesce(sum(accrued_minor - capitalized_minor), 0)::text as due from
       (select accrued_minor, capitalized_minor from interest.overdraft_position union all
        select accrued_minor, capitalized_minor from interest.commitment_fee_position) p`,
  )
  const wrong = await bank.rows(
    `select p.arrangement_id from interest.overdraft_position p
     left join (select arrangement_id, sum(units) as units from interest.overdraft_accrual group by 1) d using (arrangement_id)
     left join (select arrangement_id, sum(gross_minor) as paid from interest.overdraft_charge group by 1) c using (arrangement_id)
     where coalesce(d.units, 0) <> p.accrued_units or coalesce(c.paid, 0) <> p.capitalized_minor
       or abs(p.accrued_units - p.accrued_minor::numeric * 160308000000000) > 80154000000000`,
  )
  const wrongFees = await bank.rows(
    `select p.arrangement_id from interest.commitment_fee_position p
     left join (select arrangement_id, sum(units) as units from interest.commitment_fee_accrual group by 1) d using (arrangement_id)
     left join (select arrangement_id, sum(gross_minor) as paid from interest.commitment_fee_charge group by 1) c using (arrangement_id)
     where coalesce(d.units, 0) <> p.accrued_units or coalesce(c.paid, 0) <> p.capitalized_minor
       or abs(p.accrued_units - p.accrued_minor::numeric * 160308000000000) > 80154000000000`,
  )
  if (wrongFees.length > 0) throw new Error(`The fees do not add up: ${JSON.stringify(wrongFees)}`)
  const [income] = await bank.rows(
    `select (select coalesce(sum(case side when 'credit' then amount else -amount end), 0)
             from ledger.entry where account_id = 'fee-income/EUR')
          = (select coalesce(sum(accrued_minor), 0) from interest.commitment_fee_position) as same`,
  )
  if (!income!['same']) throw new Error('The income from fees is not what was accrued.')
  if (wrong.length > 0) throw new Error(`The days do not add up: ${JSON.stringify(wrong)}`)
  if (ledger!['due'] !== positions!['due']) {
    throw new Error(`The ledger has ${ledger!['due']}, the positions ${positions!['due']}.`)
  }
  const { trialBalance, ledgerFindings } = await bank.act(
    '{ trialBalance(currency: "EUR") { difference } ledgerFindings { invariant detail } }',
  )
  if (Number(trialBalance.difference) !== 0) throw new Error('The books do not balance.')
  if (ledgerFindings.length > 0) throw new Error(JSON.stringify(ledgerFindings))
  return BigInt(ledger!['due'])
}
