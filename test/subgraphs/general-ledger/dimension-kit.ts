/** The reports by product and by segment, and what they must add up to. */
import { expect } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { dateCommittedPostings } from '../../../subgraphs/general-ledger/commands/date-postings.ts'
import { newId, type InterestBank } from '../interest/kit.ts'

export const dimensions = ['PRODUCT', 'SEGMENT'] as const
export type Dimension = (typeof dimensions)[number]

const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''))

export const date = (bank: InterestBank) => dateCommittedPostings(bankContext(bank.bank))

/** An active customer of the segment. */
export async function aCustomerOf(bank: InterestBank, segment: string | null): Promise<string> {
  const [partyId, customerId] = [newId('pty'), newId('cus')]
  const given = segment === null ? '' : `, segment: "${segment}"`
  for (const mutation of [
    `createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "A", familyName: "B" }) { partyId }`,
    `createCustomer(input: { customerId: "${customerId}", partyId: "${partyId}"${given} }) { status }`,
    `startKyc(customerId: "${customerId}") { status }`,
    `passKyc(customerId: "${customerId}", expiresOn: "2999-12-31") { status }`,
    `activateCustomer(customerId: "${customerId}") { status }`,
  ]) {
    await bank.act(`mutation { ${mutation} }`)
  }
  return customerId
}

const nameOf = ({ productId, segment }: { productId: string | null; segment: string | null }) =>
  productId ?? segment ?? ''

/** Amounts by product or segment, and by account; '' is what belongs to none. */
export type Amounts = Record<string, Record<string, bigint>>

/** Reads a member of the lines of each trial balance. */
export async function trialBalances(
  bank: InterestBank,
  period: string,
  by: Dimension | null,
  member: 'opening' | 'debit' | 'credit' | 'closing',
): Promise<Amounts> {
  const { generalLedgerTrialBalances: balances } = await bank.act(
    `query ($by: GeneralLedgerDimension) { generalLedgerTrialBalances(accountingPeriodId: "${period}",
      currency: "EUR", by: $by) { productId segment lines { accountNumber ${member} } } }`,
    { by },
  )
  return Object.fromEntries(
    balances.map((each: any) => [
      nameOf(each),
      Object.fromEntries(
        each.lines.map((line: any) => [line.accountNumber, minorOf(line[member])]),
      ),
    ]),
  )
}

const sheetsQuery = (report: string) => `query ($by: GeneralLedgerDimension) {
  ${report}(currency: "EUR", by: $by) { productId segment result lines { accountNumber amount } } `

/** Reads the lines of each balance sheet, or profit and loss statement, with its result. */
async function statements(bank: InterestBank, query: string, by: Dimension | null) {
  const [reports] = Object.values(await bank.act(query, { by })) as any[][]
  return Object.fromEntries(
    reports!.map((each: any) => [
      nameOf(each),
      Object.fromEntries([
        ['result', minorOf(each.result)],
        ...each.lines.map((line: any) => [line.accountNumber, minorOf(line.amount)]),
      ]),
    ]),
  ) as Amounts
}

export const balanceSheets = (bank: InterestBank, asOf: string, by: Dimension | null) =>
  statements(bank, `${sheetsQuery('balanceSheets').replace('(cur', `(asOf: "${asOf}", cur`)} }`, by)

export const profitAndLoss = (bank: InterestBank, [from, to]: string[], by: Dimension | null) =>
  statements(
    bank,
    `${sheetsQuery('profitAndLoss').replace('(cur', `(from: "${from}", to: "${to}", cur`)} }`,
    by,
  )

/** Adds up the amounts of all products or segments by account. Amounts of zero are left out. */
export function sumOf(amounts: Amounts): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const ofAccounts of Object.values(amounts)) {
    for (const [account, minor] of Object.entries(ofAccounts)) {
      sums[account] = (sums[account] ?? 0n) + minor
    }
  }
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, minor]) => minor !== 0n)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

/** Expects every report of a month to be the sum of its parts, to the cent. */
export async function expectSums(bank: InterestBank, period: string, days: string[]) {
  for (const by of dimensions) {
    for (const member of ['opening', 'debit', 'credit', 'closing'] as const) {
      const parts = await trialBalances(bank, period, by, member)
      expect(sumOf(parts)).toEqual(sumOf(await trialBalances(bank, period, null, member)))
    }
    expect(sumOf(await balanceSheets(bank, days[1]!, by))).toEqual(
      sumOf(await balanceSheets(bank, days[1]!, null)),
    )
    expect(sumOf(await profitAndLoss(bank, days, by))).toEqual(
      sumOf(await profitAndLoss(bank, days, null)),
    )
  }
}

/** The signed sum of the entries of an account in a month that belong to what the filter names. */
export async function entriesOf(bank: InterestBank, period: string, filter: string) {
  let [sum, count, after] = [0n, 0, null as string | null]
  do {
    const { generalLedgerEntries: page } = await bank.act(
      `query ($after: String) { generalLedgerEntries(accountingPeriodId: "${period}", ${filter}, first: 7,
        after: $after) { nodes { side amount productId segment postingInstruction { postingInstructionId } }
        pageInfo { hasNextPage endCursor } } }`,
      { after },
    )
    for (const { side, amount, postingInstruction } of page.nodes) {
      sum += side === 'DEBIT' ? minorOf(amount) : -minorOf(amount)
      expect(postingInstruction.postingInstructionId).toMatch(/^pin_/)
      count++
    }
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
  } while (after)
  return { sum, count }
}

export const dimensionFindings = async (bank: InterestBank) =>
  (await bank.act('{ generalLedgerFindings { kind subject } }')).generalLedgerFindings

/**
 * What the accounts themselves say, by account of the general ledger and by their IDs, without the general
 * ledger: balances, interest that is accrued and not paid, all accrued interest, and fees.
 */
export async function figuresOf(bank: InterestBank, fees: Map<string, bigint>) {
  const read = async (sql: string): Promise<Map<string, bigint>> => {
    const rows = await bank.rows(sql)
    return new Map(rows.map((row) => [String(row['id']), BigInt(String(row['minor']))]))
  }
  const accrued = (table: string, amount: string) =>
    read(`select arrangement_id as id, (${amount})::text as minor from interest.${table}`)
  return {
    '2100': await read(`select account_id as id, sum(case side when 'credit' then amount
      else -amount end)::text as minor from ledger.entry group by 1`),
    '2300': await accrued('position', 'accrued_minor - capitalized_minor'),
    '1330': await accrued('overdraft_position', 'accrued_minor - capitalized_minor'),
    '5100': await accrued('position', 'accrued_minor'),
    '4100': await accrued('overdraft_position', 'accrued_minor'),
    '4200': fees,
  }
}
