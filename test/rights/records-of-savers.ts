/** The mutations on interest and overdrafts of accounts that need a person, or a second one. */
import type { ABankWithAModel } from '../subgraphs/assist/kit.ts'
import { unique } from '../contract/kit.ts'
import { create, prepared, type Act, type Prepared } from './persons-kit.ts'

/** An account of Ada that earns interest. */
async function anEarningAccount({ act }: ABankWithAModel): Promise<string> {
  const productId = unique('prd')
  await act(`mutation { createProduct(input: { productId: "${productId}", name: "Savings",
    productClass: "savings-account", status: "active", version: "2026.1", depositInterest: {
      tiers: [{ annualRatePct: "1" }], capitalization: MONTHLY } }) { productId } }`)
  const open = `openAccountArrangement(input: { customerId: "cus_ada", productId: "${productId}" })`
  const arrangementId = await create(act, open, 'arrangementId')
  await act(`mutation { accrueInterest(arrangementId: "${arrangementId}") { accruedThrough } }`)
  return arrangementId
}

/** The accounts of a term deposit of Ada, as members of an input. */
async function termAccounts({ act }: ABankWithAModel): Promise<string> {
  const productId = unique('prd')
  await act(`mutation { createProduct(input: { productId: "${productId}", name: "Fixed",
    productClass: "term-deposit", status: "active", version: "2026.1", depositInterest: {
      tiers: [{ annualRatePct: "0" }], capitalization: AT_MATURITY, fixedTerms: {
        offers: [{ months: 6, annualRatePct: "2" }], earlyWithdrawal: { penaltyDays: 9 } } } }) { productId } }`)
  const open = `openAccountArrangement(input: { customerId: "cus_ada", productId: "${productId}" })`
  const arrangementId = await create(act, open, 'arrangementId')
  return `arrangementId: "${arrangementId}", settlementArrangementId: "arr_money"`
}

const termDeposit = (accounts: string) =>
  `(input: { ${accounts}, amount: { amount: "1.00", currency: "EUR" }, months: 6 })`

async function aTermDeposit(bank: ABankWithAModel, act: Act): Promise<string> {
  const created = `createTermDeposit${termDeposit(await termAccounts(bank))}`
  return create(act, created, 'termDepositId')
}

/** An overdraft that was proposed for an account of Ada. */
async function aProposedOverdraft({ act: setUp }: ABankWithAModel, act: Act): Promise<string> {
  const productId = unique('prd')
  await setUp(`mutation { createProduct(input: { productId: "${productId}", name: "Current",
    productClass: "current-account", status: "active", version: "2026.1",
    overdraft: { annualRatePct: "9" } }) { productId } }`)
  const open = `openAccountArrangement(input: { customerId: "cus_ada", productId: "${productId}" })`
  const arrangementId = await create(setUp, open, 'arrangementId')
  return create(
    act,
    `proposeOverdraft(input: { arrangementId: "${arrangementId}", reason: "Asked for",
      limit: { amount: "500.00", currency: "EUR" } })`,
    'overdraftId',
  )
}

/** A holder that was added to an account of Ada, and whose removal was proposed. */
const aProposedRemoval = async (bank: ABankWithAModel, act: Act) => {
  const holder = unique('pty')
  await bank.act(`mutation { createParty(input: { partyId: "${holder}", kind: PERSON, givenName: "A",
    familyName: "B" }) { partyId } }`)
  const add = `addAccountHolder(input: { arrangementId: "arr_money", partyId: "${holder}" })`
  const token = bank.token({ subject: 'ruth' })
  const asRuth: Act = (document) => bank.act(document, {}, { token })
  const id = await create(asRuth, add, 'entitlementId')
  await act(`mutation { proposeAccountHolderRemoval(entitlementId: "${id}") { status } }`)
  return id
}

const proposeSigningRule = (act: Act) =>
  create(
    act,
    `proposeSigningRule(input: { arrangementId: "arr_money", requiredSignatures: 1,
      signatoryPartyIds: [], reason: "Mandate" })`,
    'signingRuleId',
  )

/** A self-service setting that was proposed for a savings product. */
async function aProposedSetting({ act: setUp }: ABankWithAModel, act: Act): Promise<string> {
  const productId = unique('prd')
  await setUp(`mutation { createProduct(input: { productId: "${productId}", name: "Savings",
    productClass: "savings-account", status: "active", version: "2026.1" }) { productId } }`)
  const proposed = `proposeSelfServiceSetting(input: { productId: "${productId}", isAllowed: true,
    reason: "In the app" })`
  return create(act, proposed, 'selfServiceSettingId')
}

/** An account of Ada that is overdrawn without a limit, blocked, and proposed to be written off. */
async function aProposedWriteOff({ act: setUp }: ABankWithAModel, act: Act): Promise<string> {
  const productId = unique('prd')
  await setUp(`mutation { createProduct(input: { productId: "${productId}", name: "Current",
    productClass: "current-account", status: "active", version: "2026.1" }) { productId } }`)
  const open = `openAccountArrangement(input: { customerId: "cus_ada", productId: "${productId}" })`
  const arrangementId = await create(setUp, open, 'arrangementId')
  await setUp(`mutation { createPostingInstruction(input: { arrangementId: "${arrangementId}",
    direction: OUT, advice: true, amount: { amount: "9.00", currency: "EUR" } }) { status } }`)
  await setUp(`mutation { blockAccountArrangement(arrangementId: "${arrangementId}", kind: DEBIT) {
    state } }`)
  return create(
    act,
    `proposeOverdraftWriteOff(input: { arrangementId: "${arrangementId}", reason: "Insolvent" })`,
    'overdraftWriteOffId',
  )
}

/** The ID of a write-off that another person approved, with money on its account. */
async function aWrittenOff(bank: ABankWithAModel): Promise<string> {
  const asRuth: Act = (document) =>
    bank.act(document, {}, { token: bank.token({ subject: 'ruth' }) })
  const id = await aProposedWriteOff(bank, asRuth)
  const token = bank.token({ subject: 'olga' })
  const { done } = await bank.act(
    `mutation { done: approveOverdraftWriteOff(overdraftWriteOffId: "${id}") { arrangementId } }`,
    {},
    { token },
  )
  await bank.act(`mutation { createPostingInstruction(input: { arrangementId:
    "${done.arrangementId}", direction: IN, amount: { amount: "5.00", currency: "EUR" } }) { status } }`)
  return id
}

const grant = (arrangementId: string) =>
  `(input: { arrangementId: "${arrangementId}", validFrom: "2030-01-01", reason: "Certificate" })`

/** The mutations that need a person, but no second one. */
export const interestMutations = (bank: ABankWithAModel): Prepared[] => [
  prepared('recoverOverdraft', async () => {
    return `(input: { overdraftWriteOffId: "${await aWrittenOff(bank)}",
      amount: { amount: "5.00", currency: "EUR" } }) { state }`
  }),
  prepared('addAccountHolder', async () => {
    const holder = unique('pty')
    await bank.act(`mutation { createParty(input: { partyId: "${holder}", kind: PERSON,
      givenName: "A", familyName: "B" }) { partyId } }`)
    return `(input: { arrangementId: "arr_money", partyId: "${holder}" }) { status }`
  }),
  prepared('setOverdraftStage', async () => {
    const account = `arrangementId: "${await anEarningAccount(bank)}"`
    return `(input: { ${account}, stage: STAGE_2, reason: "R" }) { stageOverrideId }`
  }),
  prepared('setInterestPayout', async () => {
    const [from, to] = [await anEarningAccount(bank), await anEarningAccount(bank)]
    return `(arrangementId: "${from}", payoutArrangementId: "${to}") { accruedThrough }`
  }),
  prepared('grantInterestTaxExemption', async () => {
    return `${grant(await anEarningAccount(bank))} { state }`
  }),
  prepared('withdrawTermDeposit', async (act) => {
    return `(input: { termDepositId: "${await aTermDeposit(bank, act)}" }) { state }`
  }),
  prepared('revokeInterestTaxExemption', async (act) => {
    const granted = `grantInterestTaxExemption${grant(await anEarningAccount(bank))}`
    return `(taxExemptionId: "${await create(act, granted, 'taxExemptionId')}") { state }`
  }),
]

/** The decisions on which a second person is needed. */
export const interestDecisions = (bank: ABankWithAModel): Prepared[] => {
  const proposeRate = async (act: Act) =>
    create(
      act,
      `proposeInterestRateOverride(input: { arrangementId: "${await anEarningAccount(bank)}",
        annualRatePct: "2", validFrom: "2090-01-01", reason: "Promised" })`,
      'rateOverrideId',
    )
  return [
    ...['approveInterestRateOverride', 'rejectInterestRateOverride'].map((name) =>
      prepared(name, async (act) => `(rateOverrideId: "${await proposeRate(act)}") { state }`),
    ),
    prepared('approveAccountHolderRemoval', async (act) => {
      return `(entitlementId: "${await aProposedRemoval(bank, act)}") { status }`
    }),
    ...['approveSigningRule', 'rejectSigningRule'].map((name) =>
      prepared(name, async (act) => {
        return `(signingRuleId: "${await proposeSigningRule(act)}") { state }`
      }),
    ),
    ...['approveSelfServiceSetting', 'rejectSelfServiceSetting'].map((name) =>
      prepared(name, async (act) => {
        return `(selfServiceSettingId: "${await aProposedSetting(bank, act)}") { state }`
      }),
    ),
    ...['approveOverdraftWriteOff', 'rejectOverdraftWriteOff'].map((name) =>
      prepared(name, async (act) => {
        return `(overdraftWriteOffId: "${await aProposedWriteOff(bank, act)}") { state }`
      }),
    ),
    ...['approveOverdraft', 'rejectOverdraft'].map((name) =>
      prepared(name, async (act) => {
        return `(overdraftId: "${await aProposedOverdraft(bank, act)}") { state }`
      }),
    ),
  ]
}
