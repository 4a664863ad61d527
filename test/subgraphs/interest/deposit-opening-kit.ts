/** Customers who open deposits themselves: the products, the accounts and the operations of tests. */
import { aCaller } from '../../kit/subgraph.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { ada, anAccount, aProduct, eur, newId, type InterestBank } from './kit.ts'
import { aTermProduct } from './term-deposit-kit.ts'

const olga = aCaller({ subject: 'olga' })

/** Lets customers open accounts of a product themselves, or no longer. */
export async function allow(bank: InterestBank, productId: string, isAllowed = true) {
  const { set } = await bank.act(
    `mutation ($input: ProposeSelfServiceSettingInput!) {
      set: proposeSelfServiceSetting(input: $input) { selfServiceSettingId } }`,
    { input: { productId, isAllowed, reason: 'In the app' } },
  )
  // Of two settings, the one that was decided later applies.
  bank.clock.advance(1000)
  await bank.act(
    `mutation ($id: ID!) { approveSelfServiceSetting(selfServiceSettingId: $id) { state } }`,
    { id: set.selfServiceSettingId },
    olga,
  )
}

/** A product with fixed terms that customers may open. */
export async function anAllowedTermProduct(bank: InterestBank, terms = {}, more = {}) {
  const productId = await aTermProduct(bank, terms, more)
  await allow(bank, productId)
  return productId
}

/** An account of Ada with money, which earns nothing. */
export const aFundingAccount = async (bank: InterestBank, holds = '10000.00') =>
  anAccount(bank, await aProduct(bank, { tiers: [{ annualRatePct: '0' }] }), holds)

const fields = `depositOpeningId arrangementId productVersion fundingArrangementId postingInstructionId
  termDepositId months annualRatePct maturityInstruction maturesOn amount { amount } openedBy
  account { state currency nickname balances { committed } depositOpening { depositOpeningId } }`

/** Opens a deposit of 1,000.00 for a month, or what `more` says; throws the problem. */
export async function openDeposit(
  bank: InterestBank,
  accounts: { productId: string; fundingArrangementId?: string },
  more: object = {},
  caller: Caller = ada,
  key?: string,
) {
  const input = {
    customerId: 'cus_ada',
    acceptedVersion: '2026.1',
    ...(accounts.fundingArrangementId && { amount: eur('1000.00'), months: 1 }),
    ...accounts,
    ...more,
  }
  const document = `mutation ($input: OpenDepositInput!) { openDeposit(input: $input) { ${fields} } }`
  return (await bank.act(document, { input }, caller, key)).openDeposit
}

/** The code of the problem, or null. */
export const codeOf = (running: Promise<unknown>): Promise<string | null> =>
  running.then(
    () => null,
    (problem: { code: string }) => problem.code,
  )

export async function preview(bank: InterestBank, input: object, caller: Caller = ada) {
  const document = `query ($input: PreviewDepositOpeningInput!) { previewDepositOpening(input: $input) {
    productVersion startsOn endsOn annualRatePct gross { amount } taxWithheld { amount } net { amount }
    earlyWithdrawal { withdrawnOn interest { amount } penalty { amount } paidOut { amount } } } }`
  return (await bank.act(document, { input }, caller)).previewDepositOpening
}

/** A signing rule by which Ada alone may not move money out of an account. */
export async function aJointRule(bank: InterestBank, arrangementId: string, fromAmount?: string) {
  const holder = newId('pty')
  await bank.act(`mutation { createParty(input: { partyId: "${holder}", kind: PERSON,
    givenName: "Test", familyName: "Person" }) { partyId } }`)
  await bank.act(`mutation { addAccountHolder(input: { arrangementId: "${arrangementId}",
    partyId: "${holder}" }) { isHolder } }`)
  const input = {
    arrangementId,
    requiredSignatures: 2,
    signatoryPartyIds: ['pty_ada', holder],
    reason: 'Mandate',
    ...(fromAmount && { fromAmount: eur(fromAmount) }),
  }
  const { rule } = await bank.act(
    `mutation ($input: ProposeSigningRuleInput!) { rule: proposeSigningRule(input: $input) { signingRuleId } }`,
    { input },
  )
  await bank.act(
    `mutation ($id: ID!) { approveSigningRule(signingRuleId: $id) { state } }`,
    { id: rule.signingRuleId },
    olga,
  )
  return holder
}
