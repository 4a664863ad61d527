/** Every entry has a remittance text and a counterparty, whatever produced it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { instructionTypes } from '../../ledger/domain/instruction.ts'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { runMutation, runQuery } from './kit.ts'

let bank: Platform
const zuse = 'DE89370400440532013000'
const ibans: Record<string, string> = {}

beforeAll(async () => {
  bank = await aSeededPlatform()
  const { rows } = await bank.bank.pool.query(
    'select arrangement_id, account_number from accounts.arrangement',
  )
  for (const row of rows) ibans[row.arrangement_id] = row.account_number
  await transferMoney()
}, 180_000)
afterAll(() => bank.stop())

const eur = (amount: string) => `amount: { amount: "${amount}", currency: "EUR" }`
const post = (input: string) =>
  runMutation(bank, `createPostingInstruction(input: { ${input} }) { postingInstructionId }`)
const pay = (input: string) =>
  runMutation(
    bank,
    `createTransfer(input: { debtorArrangementId: "arr_ada_current", ${input} }) { paymentId }`,
  )
const toGrace = 'creditorArrangementId: "arr_grace_current"'

async function advance(days: number) {
  const to = new Date(bank.bank.now().getTime() + days * 86_400_000).toISOString()
  const { clockAdvance } = await runMutation(
    bank,
    `advanceClock(to: "${to}") { clockAdvance { clockAdvanceId } }`,
  )
  await eventually(async () => {
    const query = `clockAdvance(clockAdvanceId: "${clockAdvance.clockAdvanceId}") { status }`
    return (await runQuery(bank, query)).clockAdvance.status === 'COMPLETED'
  }, 60_000)
}

/** Posts one movement of every kind that customers see. */
async function transferMoney() {
  await post(`arrangementId: "arr_ada_current", direction: IN, ${eur('90000.00')},
    counterparty: { name: "Analytical Engines Ltd", iban: "${zuse}" }, remittanceInformation: "Royalties"`)
  await post(`arrangementId: "arr_ada_current", direction: OUT, ${eur('12.00')}`)
  await pay(`${toGrace}, ${eur('21.00')}, remittanceInformation: "Lunch"`)
  await pay(`${toGrace}, ${eur('22.00')}`)
  const today = bank.bank.now().toISOString().slice(0, 10)
  const order = (amount: string, more: string) =>
    runMutation(
      bank,
      `createStandingOrder(input: { debtorArrangementId: "arr_ada_current", ${eur(amount)},
      frequency: MONTHLY, startsOn: "${today}", ${more} }) { standingOrderId }`,
    )
  await order('31.00', `${toGrace}, remittanceInformation: "Rent"`)
  await order('32.00', toGrace)
  await order(
    '33.00',
    `creditorIban: "${zuse}", creditorName: "Konrad Zuse", remittanceInformation: "Parts"`,
  )
  await pay(
    `creditorIban: "${zuse}", creditorName: "Konrad Zuse", ${eur('41.00')}, remittanceInformation: "Invoice 7"`,
  )
  await pay(
    `creditorIban: "${zuse}", creditorName: "RETURN AC04", ${eur('42.00')}, remittanceInformation: "Invoice 8"`,
  )
  await runMutation(
    bank,
    `simulateIncomingPayment(input: { creditorIban: "${ibans['arr_ada_current']}", debtorIban: "${zuse}",
    debtorName: "Konrad Zuse", ${eur('43.00')}, remittanceInformation: "Refund" }) { paymentId }`,
  )
  const card = (type: string, id: string, more: string) =>
    post(`type: ${type}, clientTransactionId: "${id}", ${more}`)
  const cardDetails =
    'counterparty: { name: "Corner shop" }, remittanceInformation: "Card purchase"'
  await card(
    'OUTBOUND_AUTHORIZATION',
    'card-a',
    `arrangementId: "arr_ada_current", ${eur('51.00')}, ${cardDetails}`,
  )
  await card('AUTHORIZATION_ADJUSTMENT', 'card-a', eur('1.00'))
  await card('SETTLEMENT', 'card-a', '')
  await card(
    'OUTBOUND_AUTHORIZATION',
    'card-b',
    `arrangementId: "arr_ada_current", ${eur('53.00')}, ${cardDetails}`,
  )
  await card('RELEASE', 'card-b', '')
  await card(
    'INBOUND_AUTHORIZATION',
    'card-c',
    `arrangementId: "arr_ada_current", ${eur('54.00')}, ${cardDetails}`,
  )
  const { postingInstructionId } = await post(
    `debtorArrangementId: "arr_ada_current", ${toGrace}, ${eur('61.00')}, remittanceInformation: "Mistake"`,
  )
  await post(`reversesId: "${postingInstructionId}"`)
  await post(`entries: [{ account: "arr_ada_current", side: DEBIT, ${eur('71.00')} },
    { account: "arr_grace_current", side: CREDIT, ${eur('71.00')} }]`)

  await runMutation(
    bank,
    'createDrawdown(input: { facilityId: "fac_ada", amount: "81.00" }) { drawdownId }',
  )

  await advance(40)
  // A credit transfer leaves at the next cut-off; a week covers weekends and bank holidays.
  await advance(7)
}

const ada = { kind: 'CUSTOMER', name: 'Ada Lovelace' }
const grace = { kind: 'CUSTOMER', name: 'Grace Hopper' }
const konrad = { kind: 'EXTERNAL', name: 'Konrad Zuse', iban: zuse }

type Line = Record<string, any>

async function linesOf(arrangementId: string, token?: string): Promise<Line[]> {
  const { accountArrangement } = await runQuery(
    bank,
    `accountArrangement(arrangementId: "${arrangementId}") { entries(first: 200, newestFirst: true) { nodes {
      amount side phase remittanceInformation counterparty { kind name iban facilityId } } } }`,
    token ? { token } : {},
  )
  return accountArrangement.entries.nodes
}

describe('Remittance text and counterparty of entries', () => {
  const current = 'arr_ada_current'
  const hers = 'arr_grace_current'
  test.each<[string, string, Partial<Line>, string, object]>([
    [
      'a direct credit',
      current,
      { amount: '90000.00' },
      'Royalties',
      { kind: 'EXTERNAL', name: 'Analytical Engines Ltd', iban: zuse },
    ],
    [
      'a direct debit without text',
      current,
      { amount: '12.00' },
      'Outgoing payment',
      { kind: 'EXTERNAL', name: null },
    ],
    ['a transfer, for the payer', current, { amount: '21.00' }, 'Lunch', grace],
    ['a transfer, for the payee', hers, { amount: '21.00' }, 'Lunch', ada],
    ['a transfer without text', hers, { amount: '22.00' }, 'Transfer', ada],
    ['a standing order, for the payer', current, { amount: '31.00' }, 'Rent', grace],
    ['a standing order, for the payee', hers, { amount: '31.00' }, 'Rent', ada],
    [
      'a standing order without text, for the payer',
      current,
      { amount: '32.00' },
      'Standing order',
      grace,
    ],
    [
      'a standing order without text, for the payee',
      hers,
      { amount: '32.00' },
      'Standing order',
      ada,
    ],
    [
      'a standing order to another bank',
      current,
      { amount: '33.00', phase: 'COMMITTED' },
      'Parts',
      konrad,
    ],
    [
      'a credit transfer, pending',
      current,
      { amount: '41.00', phase: 'PENDING_OUT', side: 'DEBIT' },
      'Invoice 7',
      konrad,
    ],
    [
      'a credit transfer, booked',
      current,
      { amount: '41.00', phase: 'COMMITTED' },
      'Invoice 7',
      konrad,
    ],
    [
      'a returned credit transfer',
      current,
      { amount: '42.00', phase: 'COMMITTED', side: 'CREDIT' },
      'Payment returned (AC04): Invoice 8',
      { kind: 'EXTERNAL', name: 'RETURN AC04', iban: zuse },
    ],
    ['an incoming credit transfer', current, { amount: '43.00' }, 'Refund', konrad],
    [
      'an authorization',
      current,
      { amount: '51.00', phase: 'PENDING_OUT', side: 'DEBIT' },
      'Card purchase',
      { kind: 'EXTERNAL', name: 'Corner shop' },
    ],
    [
      'the settlement of an authorization',
      current,
      { amount: '52.00', phase: 'COMMITTED' },
      'Card purchase',
      { kind: 'EXTERNAL', name: 'Corner shop' },
    ],
    [
      'the release of an authorization',
      current,
      { amount: '53.00', phase: 'PENDING_OUT', side: 'CREDIT' },
      'Release of an authorization: Card purchase',
      { kind: 'EXTERNAL', name: 'Corner shop' },
    ],
    ['a posting between accounts', current, { amount: '61.00', side: 'DEBIT' }, 'Mistake', grace],
    [
      'its reversal, for the payer',
      current,
      { amount: '61.00', side: 'CREDIT' },
      'Reversal: Mistake',
      grace,
    ],
    [
      'its reversal, for the payee',
      hers,
      { amount: '61.00', side: 'DEBIT' },
      'Reversal: Mistake',
      ada,
    ],
    ['a custom posting', hers, { amount: '71.00' }, 'Posting', ada],
  ])('%s', async (_kind, account, wanted, text, counterparty) => {
    const lines = (await linesOf(account)).filter((line) =>
      Object.entries(wanted).every(([name, value]) => line[name] === value),
    )
    expect(lines).not.toEqual([])
    for (const line of lines) {
      expect(line.remittanceInformation).toBe(text)
      expect(line.counterparty).toMatchObject(counterparty)
    }
  })

  test('names the other account by its IBAN, for payer and payee', async () => {
    const paid = (await linesOf(current)).find(({ amount }) => amount === '21.00')!
    const received = (await linesOf(hers)).find(({ amount }) => amount === '21.00')!
    expect(paid.counterparty.iban).toBe(ibans[hers])
    expect(received.counterparty.iban).toBe(ibans[current])
  })

  test('names the facility in entries of a loan, and the bank in fee entries', async () => {
    const lines = await linesOf(current)
    const ofLoans = lines.filter(({ counterparty }) => counterparty.facilityId !== null)
    const facilities = new Set(ofLoans.map(({ counterparty }) => counterparty.facilityId))
    expect([...facilities]).toEqual(expect.arrayContaining(['fac_ada', 'loan_ada']))
    expect(new Set(ofLoans.map(({ side }) => side))).toEqual(new Set(['CREDIT', 'DEBIT']))
    const fee = lines.find(({ remittanceInformation }) =>
      remittanceInformation.startsWith('Account fee'),
    )
    expect(fee!.counterparty).toEqual({ kind: 'BANK', name: 'Bank', iban: null, facilityId: null })
  })
})

test('gives every entry of a customer account a text and a counterparty, for all instruction types', async () => {
  const { rows } = await bank.bank.pool.query<{ id: string; types: string[] }>(
    `select e.account_id as id, array_agg(distinct p.type) as types from ledger.entry e
     join ledger.account a using (account_id) join ledger.posting_instruction p using (posting_instruction_id)
     where a.code = 'customer' group by 1`,
  )
  expect([...new Set(rows.flatMap(({ types }) => types))].sort()).toEqual(
    [...instructionTypes].sort(),
  )
  for (const { id } of rows) {
    for (const line of await linesOf(id)) {
      expect(line.remittanceInformation, JSON.stringify(line)).toMatch(/\S/)
      expect(['CUSTOMER', 'EXTERNAL', 'BANK']).toContain(line.counterparty.kind)
      if (line.counterparty.kind !== 'EXTERNAL') expect(line.counterparty.name).toMatch(/\S/)
    }
  }
})

test('shows the counterparty to the account holder, in entries and in the statement', async () => {
  const token = bank.token({ partyId: 'pty_grace' })
  const line = (await linesOf('arr_grace_current', token)).find(({ amount }) => amount === '21.00')!
  expect(line.counterparty).toMatchObject(ada)
  const day = bank.bank.now().getTime()
  const [from, to] = [day - 60 * 86_400_000, day].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  )
  const { accountArrangement } = await runQuery(
    bank,
    `accountArrangement(arrangementId: "arr_grace_current") { statement(from: "${from}", to: "${to}") { entries {
      amount remittanceInformation counterparty { kind name } } } }`,
    { token },
  )
  const stated = accountArrangement.statement.entries.find(({ amount }: Line) => amount === '31.00')
  expect(stated).toMatchObject({ remittanceInformation: 'Rent', counterparty: ada })
})
