/** The payment of an order: the customer logs in at the bank, and the shop pays with the tokens. */
import { randomUUID } from 'node:crypto'
import {
  BankProblem,
  ConnectionFailure,
  createBankClient,
  finishLogIn,
  startLogIn,
} from '@bankgraph/client'
import { findOrder, saveOrder } from './orders.js'

const url = process.env.BANK_URL ?? 'http://127.0.0.1:4001/v1'
const shopAccount = process.env.SHOP_ACCOUNT ?? 'arr_grace_current'
const port = process.env.PORT ?? '3000'

const logInOptions = {
  issuer: new URL(url).origin,
  clientId: 'bankgraph-web',
  redirectUri: `http://127.0.0.1:${port}/callback`,
  scope: 'accounts:read postings:write',
}

/** The log-ins that have started, by their state. A log-in that is lost in a crash starts again. */
const logIns = new Map()

/**
 * Returns the page of the bank on which the customer logs in and agrees.
 * @param {string} orderId
 */
export async function startPayment(orderId) {
  const values = new Map()
  const storage = {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => values.set(name, value),
    removeItem: (name) => values.delete(name),
  }
  const page = await startLogIn({ ...logInOptions, storage })
  logIns.set(page.searchParams.get('state'), { orderId, storage })
  return page.href
}

/**
 * Pays the order for which the customer has logged in. Throws an Error if this browser did not start
 * the log-in, or the customer did not agree.
 * @param {string} callback the URL to which the bank sent the customer back
 * @param {string | undefined} orderId the order of this browser
 */
export async function finishPayment(callback, orderId) {
  const state = new URL(callback).searchParams.get('state')
  const logIn = logIns.get(state)
  const isOwn = orderId && logIn?.orderId === orderId
  if (!isOwn) throw new Error('This log-in did not start in this browser.')
  logIns.delete(state)
  const tokens = await finishLogIn({ ...logInOptions, storage: logIn.storage }, callback)
  await pay(createBankClient({ url, tokens }), orderId)
}

/**
 * @param {import('@bankgraph/client').BankClient} bank
 * @param {string} orderId
 */
async function pay(bank, orderId) {
  const account = findOrder(orderId)?.account ?? (await accountOf(bank))
  const order = findOrder(orderId)
  if (!order || order.status === 'paid') return
  // Stored before the call: whatever happens next, the same payment is sent again.
  const paying = saveOrder({ ...order, account, status: 'paying', refusal: undefined })
  try {
    const { postingInstructionId: paymentId } = await bank.createPostingInstruction(
      {
        debtorArrangementId: account,
        creditorArrangementId: shopAccount,
        amount: paying.price,
        endToEndId: paying.id.slice(0, 35),
        remittanceInformation: paying.item,
      },
      { idempotencyKey: paying.paymentKey },
    )
    saveOrder({ ...paying, status: 'paid', paymentId })
  } catch (error) {
    // The order stays `paying` unless the bank decided: only the same key finds out what happened.
    if (error instanceof ConnectionFailure) return
    const isDecision = error instanceof BankProblem && error.status === 422
    if (!isDecision) throw error
    // A second click may have received the same decision, and the next payment have begun.
    if (findOrder(orderId)?.paymentKey !== paying.paymentKey) return
    const next = { account: undefined, paymentKey: randomUUID(), refusal: error.message }
    saveOrder({ ...order, ...next, status: 'open' })
  }
}

async function accountOf(bank) {
  const accounts = await bank.listAccounts().all()
  const account = accounts.find(({ state }) => state === 'active')
  if (!account) throw new Error('You have no account that can pay.')
  return account.arrangementId
}
