/** The orders of the shop, one file each. Use the tables of your shop instead. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Order
 * @property {string} id
 * @property {string} item
 * @property {{ amount: string, currency: string }} price
 * @property {'open' | 'paying' | 'paid'} status `paying` until the bank has said what happened.
 * @property {string} paymentKey The idempotency key of the payment.
 * @property {string} [account] The account that pays.
 * @property {string} [paymentId]
 * @property {string} [refusal] Why the bank did not execute the latest payment.
 */

const folder = process.env.ORDERS_FOLDER ?? 'orders'
mkdirSync(folder, { recursive: true })

/**
 * @param {Pick<Order, 'item' | 'price'>} product
 * @returns {Order}
 */
export function createOrder(product) {
  return saveOrder({ id: randomUUID(), ...product, status: 'open', paymentKey: randomUUID() })
}

/**
 * Stores an order completely or not at all, and returns it.
 * @param {Order} order
 */
export function saveOrder(order) {
  const file = fileOf(order.id)
  writeFileSync(`${file}.new`, JSON.stringify(order), { flush: true })
  renameSync(`${file}.new`, file)
  return order
}

/**
 * @param {string | undefined} id
 * @returns {Order | null}
 */
export function findOrder(id) {
  if (!id || !/^[0-9a-f-]{36}$/.test(id)) return null
  try {
    return JSON.parse(readFileSync(fileOf(id), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

const fileOf = (id) => join(folder, `${id}.json`)
