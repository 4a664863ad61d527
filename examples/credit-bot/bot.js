/** Follows credit applications, and prepares each decision with a note in the case. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { clientCredentials, createBankClient } from '@bankgraph/client'
import { briefingOf } from './briefing.js'
import { applicationQuery, noteMutation } from './documents.js'

const url = process.env.BANK_URL ?? 'http://127.0.0.1:4001/v1'
const positionFile = process.env.POSITION_FILE ?? 'position'

const bank = createBankClient({
  url,
  tokens: clientCredentials({
    issuer: new URL(url).origin,
    clientId: process.env.CLIENT_ID ?? '',
    clientSecret: process.env.CLIENT_SECRET ?? '',
    // No scope to decide: decisions need a person.
    scope: 'events:read lending:read cases:read cases:write',
  }),
})

console.log('Following credit applications.')
const types = ['lending.loan-application.case-opened']
for await (const event of bank.events({ types, after: readPosition() })) {
  await prepareDecision(event)
  // Stored after the work: a crash in between repeats it, with the same key.
  writeFileSync(`${positionFile}.new`, event.position, { flush: true })
  renameSync(`${positionFile}.new`, positionFile)
}

async function prepareDecision({ eventId, data }) {
  const { loanApplication } = await bank.graph(applicationQuery, { id: data.applicationId })
  if (loanApplication?.status !== 'IN_REVIEW') return
  const text = briefingOf(loanApplication)
  const variables = { caseId: data.caseId, text }
  await bank.graph(noteMutation, variables, { idempotencyKey: `briefing/${eventId}` })
  console.log(`${loanApplication.applicationId}\n${text}\n`)
}

function readPosition() {
  try {
    return readFileSync(positionFile, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return '0'
    throw error
  }
}
