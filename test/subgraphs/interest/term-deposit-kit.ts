/** Products with fixed terms, and accounts with term deposits. */
import { balanceOf, eur, newId, post, start, type InterestBank } from './kit.ts'

/** 3.65 and 7.3 percent, so that 1,000.00 earns 0.10 and 0.20 a day. Outside of terms, 0.365 percent. */
export const fixedTerms = {
  offers: [
    { months: 1, annualRatePct: '3.65' },
    { months: 12, annualRatePct: '7.3' },
  ],
  minimumAmount: eur('100.00'),
  maximumAmount: eur('100000.00'),
  earlyWithdrawal: { penaltyDays: 10 },
}
export const outsideTerms = {
  tiers: [{ annualRatePct: '0.365' }],
  dayCount: 'ACT_365',
  capitalization: 'AT_MATURITY',
}

export async function aTermProduct(bank: InterestBank, terms: object = {}, more: object = {}) {
  const productId = newId('prd')
  await aTermVersion(bank, productId, '2026.1', { ...fixedTerms, ...terms }, more)
  return productId
}

export async function aTermVersion(
  bank: InterestBank,
  productId: string,
  version: string,
  terms: object | null,
  more: object = {},
): Promise<void> {
  const input = {
    productId,
    name: 'Fixed deposit',
    productClass: 'term-deposit',
    status: 'active',
    version,
    currencies: ['EUR'],
    depositInterest: { ...outsideTerms, ...(terms && { fixedTerms: terms }), ...more },
  }
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    { input },
  )
}

/** An empty account of Ada under the product. */
export async function anEmptyAccount(bank: InterestBank, productId: string): Promise<string> {
  const arrangementId = newId('arr')
  await bank.act(
    `mutation ($input: OpenAccountArrangementInput!) { openAccountArrangement(input: $input) { arrangementId } }`,
    { input: { arrangementId, customerId: 'cus_ada', productId } },
  )
  return arrangementId
}

/** An account for a term deposit and one with 10,000.00 that funds it, on the first day. */
export async function twoAccounts(
  bank: InterestBank,
  terms: object = {},
  more: object = {},
  settlementRatePct = '0',
) {
  bank.clock.set(start)
  const productId = await aTermProduct(bank, terms, more)
  const arrangementId = await anEmptyAccount(bank, productId)
  const settlementArrangementId = await anEmptyAccount(
    bank,
    await aTermProduct(
      bank,
      {},
      {
        tiers: [{ annualRatePct: settlementRatePct }],
      },
    ),
  )
  await post(bank, settlementArrangementId, 'IN', '10000.00')
  await bank.follow()
  return { productId, arrangementId, settlementArrangementId }
}

export const depositFields = `termDepositId state startsOn maturesOn endsOn endedOn annualRatePct months
  maturityInstruction noticeGivenOn previousTermDepositId principal { amount } interest { amount }
  penalty { amount } paidOut { amount } settlementArrangementId`

export async function deposit(
  bank: InterestBank,
  accounts: { arrangementId: string; settlementArrangementId: string },
  more: object = {},
) {
  const { arrangementId, settlementArrangementId } = accounts
  const input = {
    arrangementId,
    settlementArrangementId,
    amount: eur('1000.00'),
    months: 1,
    ...more,
  }
  const { createTermDeposit } = await bank.act(
    `mutation ($input: CreateTermDepositInput!) { createTermDeposit(input: $input) { ${depositFields} } }`,
    { input },
  )
  return createTermDeposit
}

export async function depositsOf(bank: InterestBank, arrangementId: string): Promise<any[]> {
  const { accountArrangement } = await bank.act(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { termDeposits { ${depositFields} } } }`,
    { id: arrangementId },
  )
  return accountArrangement.termDeposits
}

export async function withdraw(
  bank: InterestBank,
  termDepositId: string,
  waiverReason?: string,
  key?: string,
) {
  const { withdrawTermDeposit } = await bank.act(
    `mutation ($input: WithdrawTermDepositInput!) { withdrawTermDeposit(input: $input) { ${depositFields} } }`,
    { input: { termDepositId, ...(waiverReason && { waiverReason }) } },
    undefined,
    key,
  )
  return withdrawTermDeposit
}

/** What a test asks again and again about the accounts of a deposit. */
export function lookAt(bank: InterestBank) {
  return {
    /** The balances of the account that holds a deposit and of its settlement account. */
    balances: async (accounts: { arrangementId: string; settlementArrangementId: string }) => [
      await balanceOf(bank, accounts.arrangementId),
      await balanceOf(bank, accounts.settlementArrangementId),
    ],
    /** For which entries the ledger blocks an account; null if for none. */
    async blockOf(arrangementId: string): Promise<string | null> {
      const sql = `select blocked_for from ledger.balance where account_id = '${arrangementId}'`
      return (await bank.rows(sql))[0]!['blocked_for'] as string | null
    },
  }
}
