/** Exports the ledger entries of a day as a CSV file whose totals agree with the trial balance. */
import { existsSync } from 'node:fs'
import { clientCredentials, createBankClient } from '@bankgraph/client'
import { openExport } from './file.js'
import { accountsQuery, nowQuery, turnoverQuery } from './queries.js'

const url = process.env.BANK_URL ?? 'http://127.0.0.1:4001/v1'
const bank = createBankClient({
  url,
  tokens: clientCredentials({
    issuer: new URL(url).origin,
    clientId: process.env.CLIENT_ID ?? '',
    clientSecret: process.env.CLIENT_SECRET ?? '',
    scope: 'accounts:read postings:read',
  }),
})

const pageSize = Number(process.env.PAGE_SIZE ?? 100)
const dayMs = 24 * 60 * 60 * 1000
// The clock of a sandbox may be ahead of that of this machine.
const { environment } = await bank.graph(nowQuery)
const now = Date.parse(environment.now)
const today = dayOf(now)
const day = process.argv[2] ?? dayOf(now - dayMs)
if (!/^\d{4}-\d\d-\d\d$/.test(day)) fail(`${day} is not a day like 2099-12-31.`)
if (day >= today) fail(`${day} is not over yet (UTC).`)
const path = `${process.env.EXPORT_FOLDER ?? '.'}/ledger-${day}.csv`
if (existsSync(path)) fail(`${path} exists already.`, 0)

const file = openExport(path)
let hasNextPage = !file.isComplete
while (hasNextPage) {
  const variables = { day, first: pageSize, after: file.cursor }
  const { accountArrangements: accounts } = await bank.graph(accountsQuery, variables)
  file.append(accounts.nodes.flatMap(rowsOf), {
    cursor: accounts.pageInfo.endCursor ?? null,
    isComplete: !accounts.pageInfo.hasNextPage,
  })
  hasNextPage = accounts.pageInfo.hasNextPage
}
await compareWithTrialBalance()
file.publish()
console.log(`${path} has ${file.count} entries.`)
for (const [currency, { debit, credit }] of file.totals) {
  console.log(
    `${currency}: debits ${decimal(debit, currency)}, credits ${decimal(credit, currency)}`,
  )
}

/** Returns the rows of an account. Fails if they do not explain the change of its balance. */
function rowsOf({ arrangementId, accountNumber, currency, statement }) {
  const sum = { DEBIT: 0n, CREDIT: 0n }
  for (const { side, amount } of statement.entries) {
    sum[side] += minor(amount)
  }
  const expected = minor(statement.openingBalance) + sum.CREDIT - sum.DEBIT
  if (expected !== minor(statement.closingBalance)) fail(`${arrangementId} does not add up.`)
  return statement.entries.map((entry) => ({
    arrangementId,
    accountNumber,
    currency,
    entryId: entry.entryId,
    postingInstructionId: entry.postingInstructionId,
    side: entry.side,
    amountMinor: minor(entry.amount),
    amount: entry.amount,
    balanceAfter: entry.balanceAfter,
    bookedAt: entry.bookedAt,
    valueDate: entry.valueDate,
  }))
}

/** Fails if the rows are not all of the day's entries in customers' accounts. */
async function compareWithTrialBalance() {
  const { before, after } = await bank.graph(turnoverQuery, {
    before: `${dayOf(Date.parse(day) - dayMs)}T23:59:59.999Z`,
    after: `${day}T23:59:59.999Z`,
  })
  for (const { currency, accounts } of after) {
    const earlier = before.find((each) => each.currency === currency)
    const { debit = 0n, credit = 0n } = file.totals.get(currency) ?? {}
    const now = customersIn(accounts)
    const then = customersIn(earlier?.accounts ?? [])
    if (now.debit - then.debit !== debit || now.credit - then.credit !== credit) {
      fail(`The entries in ${currency} do not agree with the trial balance.`)
    }
  }
}

function customersIn(accounts) {
  const { debit = '0', credit = '0' } = accounts.find(({ code }) => code === 'customer') ?? {}
  return { debit: minor(debit), credit: minor(credit) }
}

function minor(text) {
  return BigInt(text.replace('.', ''))
}

/** Returns an amount with the decimals of its currency: none for yen. */
function decimal(amountMinor, currency) {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const text = String(amountMinor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

function dayOf(time) {
  return new Date(time).toISOString().slice(0, 10)
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message, code = 1) {
  console.error(message)
  process.exit(code)
}
