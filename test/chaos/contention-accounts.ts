import { setTimeout as sleep } from 'node:timers/promises'
import { postingRequest, type BankClient, outcomeOf } from './contention-client.ts'

/** The accounts and facilities that the movements of a run share. */
export interface TestAccounts {
  /** A few accounts that most movements touch. */
  hot: readonly string[]
  cold: readonly string[]
  /** Revolving limits and loans that are settled on the hot accounts. */
  limits: readonly Facility[]
  loans: readonly Facility[]
  /** Fees that a fee run can charge to every account, one run each. */
  feeCodes: readonly string[]
}

export interface Facility {
  facilityId: string
  settlementArrangementId: string
}

export const accountsProduct = 'prd_contention'
export const feeMinor = 1
const customerId = 'cus_contention'
const partyId = 'pty_contention'
const hotCount = 4
const coldCount = 100
const facilitiesOfAKind = 8

export const eur = (minor: number) => ({ amount: (minor / 100).toFixed(2), currency: 'EUR' })

/**
 * Opens a customer's accounts and facilities through the API and funds them. All have ample funds,
 * except for one hot account, which often has too little.
 */
export async function openAccounts(client: BankClient, address: string): Promise<TestAccounts> {
  const graph = (query: string, variables: object = {}) =>
    client.graph(address, `setup-${++serial}`, query, variables)
  const feeCodes = Array.from({ length: 40 }, (_, at) => `fee-${at + 1}`)
  await takeOnCustomer(graph, feeCodes)
  const hot = names('arr_hot', hotCount)
  const cold = names('arr_cold', coldCount)
  await inParallel([...hot, ...cold], async (arrangementId) => {
    await graph(
      `mutation ($input: OpenAccountArrangementInput!) { openAccountArrangement(input: $input) { state } }`,
      { input: { arrangementId, customerId, productId: accountsProduct } },
    )
    const minor = arrangementId === hot[1] ? 2_000 : 10_000_000
    const deposit = { arrangementId, direction: 'in', amount: eur(minor), endToEndId: 'opening' }
    const funded = await client.send(address, postingRequest(`fund-${arrangementId}`, deposit))
    if (outcomeOf(funded) !== 'done') throw new Error(funded?.text)
  })
  const facilityOn = (prefix: string, at: number): Facility => ({
    facilityId: `${prefix}_${at}`,
    settlementArrangementId: hot[at % hotCount]!,
  })
  const numbers = Array.from({ length: facilitiesOfAKind }, (_, at) => at)
  const limits = numbers.map((at) => facilityOn('fac_contention', at))
  const loans = numbers.map((at) => facilityOn('loan_contention', at))
  const terms = { customerId, limit: eur(5_000_000), ratePct: '6', disburse: true }
  const open = (input: object) =>
    graph(`mutation ($input: OpenFacilityInput!) { openFacility(input: $input) { state } }`, {
      input: { ...terms, ...input },
    })
  for (const limit of limits) {
    await open({ ...limit, kind: 'REVOLVING', disburseAmount: eur(1_000_000) })
  }
  for (const loan of loans) await open({ ...loan, kind: 'CONSUMER_LOAN', installments: 60 })
  return { hot, cold, limits, loans, feeCodes }
}

let serial = 0

type Graph = (query: string, variables?: object) => Promise<any>

async function takeOnCustomer(graph: Graph, feeCodes: readonly string[]): Promise<void> {
  const fees = feeCodes.map((code) => ({ code, frequency: 'MONTHLY', amount: eur(feeMinor) }))
  const product = {
    productId: accountsProduct,
    name: 'Current account',
    productClass: 'current-account',
    status: 'active',
    version: '2026.1',
    currencies: ['EUR'],
    fees,
  }
  await graph(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    { input: product },
  )
  await graph(`mutation { createParty(input: { partyId: "${partyId}", kind: PERSON,
    givenName: "Emmy", familyName: "Noether", dateOfBirth: "1982-03-23" }) { partyId } }`)
  const customer = `customerId: "${customerId}"`
  await graph(`mutation { createCustomer(input: { ${customer}, partyId: "${partyId}",
    segment: "retail" }) { status } }`)
  await graph(`mutation { startKyc(${customer}) { kycState } }`)
  await graph(`mutation { passKyc(${customer}, expiresOn: "2099-12-31") { kycState } }`)
  await graph(`mutation { activateCustomer(${customer}) { status } }`)
  // Subgraphs read the customer from published facts, which arrive a moment later.
  await sleep(100)
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}_${at + 1}`)
}

async function inParallel<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item; (item = left.shift()) !== undefined;) await run(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
