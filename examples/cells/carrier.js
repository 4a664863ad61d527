/** Carries transfers from cell to cell: the rail between them. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BankProblem, clientCredentials, createBankClient } from '@bankgraph/client'
import { cells } from './cells.js'
import { batchQuery, postMutation, transferQuery } from './documents.js'

const folder = process.env.POSITIONS_FOLDER ?? 'positions'
const pauseMs = 1000

/** All cells accept tokens of one issuer, so one client works in each of them. */
const tokens = clientCredentials({
  issuer: new URL(process.env.BANK_URL ?? 'http://127.0.0.1:4001/v1').origin,
  clientId: process.env.CLIENT_ID ?? '',
  clientSecret: process.env.CLIENT_SECRET ?? '',
  scope: 'events:read postings:read postings:write',
})
const banks = new Map(
  cells.map(({ name, url }) => [name, createBankClient({ url: url.href, tokens })]),
)

/** Follows the event log of each cell, and carries its transfers in the order in which they were booked. */
export function carryTransfers() {
  mkdirSync(folder, { recursive: true })
  for (const { name } of cells) void carryFrom(name)
}

/** @param {string} cell */
async function carryFrom(cell) {
  for (;;) {
    try {
      const types = ['payments.posting-instruction.accepted']
      for await (const event of bankOf(cell).events({ types, after: readPosition(cell) })) {
        if (event.data.type === 'outbound-hard-settlement') {
          await carry(cell, String(event.data.postingInstructionId))
        }
        // Stored after the work: a crash in between repeats it, and the other cell recognizes it.
        writePosition(cell, event.position)
      }
    } catch (error) {
      // A cell is away, or a person is needed. Until then the money stays in transit.
      console.error(`Transfers from ${cell} wait: ${error.message}`)
    }
    await sleep(pauseMs)
  }
}

/**
 * Credits the account in the other cell; if that cell rejects this for good, returns the money.
 * @param {string} from
 * @param {string} instructionId the debit, whose counterparty is `{ cell, arrangementId }`
 */
async function carry(from, instructionId) {
  const { postingInstruction } = await bankOf(from).graph(transferQuery, { id: instructionId })
  const { amount, counterparty, entries, remittanceInformation } = postingInstruction
  const isInTransit = entries.some(({ account }) => account === `settlement/${amount.currency}`)
  if (!isInTransit || !counterparty?.cell || !counterparty.arrangementId) return
  const { cell, arrangementId } = counterparty
  const isCredited =
    cell !== from &&
    banks.has(cell) &&
    (await postOnce(cell, `in/${instructionId}`, {
      arrangementId,
      direction: 'IN',
      amount,
      remittanceInformation,
      counterparty: { cell: from, postingInstructionId: instructionId },
    }))
  if (isCredited) return
  const isReturned = await postOnce(from, `back/${instructionId}`, { reversesId: instructionId })
  if (!isReturned) console.error(`${instructionId} stays in transit: it cannot be returned.`)
}

/**
 * Posts an instruction once, as a batch of one. The ID of a batch is unique for ever, also when the
 * idempotency key has expired. Returns whether the instruction was accepted; its rejection is stored
 * as well, so that a repetition cannot decide differently. Throws what can succeed later.
 * @param {string} cell
 * @param {string} clientBatchId
 * @param {object} instruction
 * @returns {Promise<boolean>}
 */
async function postOnce(cell, clientBatchId, instruction) {
  const input = { clientBatchId, instructions: [instruction] }
  const options = { idempotencyKey: clientBatchId }
  try {
    await bankOf(cell).graph(postMutation, { input }, options)
    return true
  } catch (error) {
    if (!(error instanceof BankProblem)) throw error
    if (error.code === 'CLIENT_BATCH_ID_REUSED') {
      const id = error.members.resourceId
      const { postingInstructions } = await bankOf(cell).graph(batchQuery, { id })
      return postingInstructions.nodes[0].status === 'ACCEPTED'
    }
    // Only a rejection that the ledger has stored is final.
    if (error.members.postingInstructionId) return false
    throw error
  }
}

/** @param {string} cell */
function bankOf(cell) {
  const bank = banks.get(cell)
  if (!bank) throw new Error(`There is no cell ${cell}.`)
  return bank
}

const fileOf = (cell) => join(folder, `${cell}.position`)

/** @param {string} cell */
function readPosition(cell) {
  try {
    return readFileSync(fileOf(cell), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return '0'
    throw error
  }
}

/**
 * @param {string} cell
 * @param {string} position
 */
function writePosition(cell, position) {
  writeFileSync(`${fileOf(cell)}.new`, position, { flush: true })
  renameSync(`${fileOf(cell)}.new`, fileOf(cell))
}
