/** Letters about resets that are stored or sent again after a crash or a failure. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../../subgraphs/lending/domain/problems.ts'
import {
  SendRateResetLetterDocument,
  StoreRateResetLetterDocument,
} from '../../../subgraphs/lending/queries.generated.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { findLettersToRetry } from '../../../subgraphs/lending/store/rate-resets/rate-reset-letter.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { drain, type CollectionsBank } from '../collections/kit.ts'
import { codeOf } from '../provisioning/kit.ts'
import {
  aBankWithLetters,
  aFloatingLoan,
  closed,
  intercept,
  lettersOf,
  messagesAbout,
  post,
  resetOn,
} from './rate-reset-letter-kit.ts'

let bank: CollectionsBank
beforeAll(async () => {
  bank = await aBankWithLetters()
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
})
afterAll(() => bank.drop())

const retryAll = (args: string, caller = aCaller()) =>
  bank.act(`mutation { it: retryRateResetLetters(${args}) { retried hasMore } }`, {}, caller)

async function aResetLoan(): Promise<string> {
  const facilityId = await aFloatingLoan(bank, { [resetOn]: '3' })
  await closed(bank, facilityId, resetOn)
  return facilityId
}

test('a letter is recorded with its document if the party is renamed before it is recorded', async () => {
  const facilityId = await aResetLoan()
  const restore = intercept(bank, StoreRateResetLetterDocument, async (store) => {
    await store()
    throw new Error('killed')
  })
  await post(bank)
  restore()
  expect(await lettersOf(bank, facilityId)).toMatchObject([{ state: 'ACCEPTED', document: null }])
  await bank.act(
    'mutation { updateParty(input: { partyId: "pty_ada", familyName: "King" }) { partyId } }',
  )
  await drain(bank, 'lending.store-remaining-rate-reset-letters')
  expect(await lettersOf(bank, facilityId)).toMatchObject([
    {
      state: 'SENT',
      failureCode: null,
      document: { documentType: 'rate-reset-letter', versions: [{ mediaType: 'application/pdf' }] },
    },
  ])
  expect(await messagesAbout(bank, facilityId)).toHaveLength(1)
})

test('a letter fails if another document has its ID', async () => {
  const facilityId = await aResetLoan()
  const [{ rateResetLetterId }] = await lettersOf(bank, facilityId)
  const input = {
    documentId: rateResetLetterId.replace(/^rrl/, 'doc'),
    title: 'A passport',
    documentType: 'passport',
    partyId: 'pty_ada',
    content: Buffer.from('%PDF-1.4').toString('base64'),
    fileName: 'passport.pdf',
    mediaType: 'application/pdf',
  }
  await bank.act(
    'mutation ($input: AttachDocumentInput!) { attachDocument(input: $input) { documentId } }',
    { input },
  )
  await post(bank)
  expect(await lettersOf(bank, facilityId)).toMatchObject([
    { state: 'NOT_STORED', failureCode: 'RESOURCE_EXISTS', document: null },
  ])
})

test('all letters that failed for one reason are sent again at once', async () => {
  const restore = intercept(bank, SendRateResetLetterDocument, () =>
    Promise.reject(new Problem('TEMPLATE_NOT_FOUND')),
  )
  const loans = [await aResetLoan(), await aResetLoan(), await aResetLoan()]
  await post(bank)
  // A letter that fails again comes after the others.
  const failed = { state: 'failed', failureCode: null, facilityId: null } as const
  const toRetry = async () =>
    (await findLettersToRetry(bankContext(bank.bank), failed, 3)).map(
      ({ rateResetLetterId }) => rateResetLetterId,
    )
  const [first, ...others] = await toRetry()
  bank.clock.advance(1000)
  await bank.act(
    'mutation ($id: ID!) { retryRateResetLetter(rateResetLetterId: $id) { state } }',
    { id: first },
    aCaller(),
  )
  await post(bank)
  expect(await toRetry()).toEqual([...others, first])
  restore()
  const statesOf = async () => {
    const letters = await Promise.all(loans.map((facilityId) => lettersOf(bank, facilityId)))
    return letters.map(([letter]) => letter.state)
  }
  expect(await statesOf()).toEqual(['FAILED', 'FAILED', 'FAILED'])
  const one = `state: FAILED, facilityId: "${loans[0]}"`
  expect(await codeOf(retryAll(one, aCaller({ partyId: 'pty_ada' })))).toBe(
    'NOT_FOR_DELEGATED_USERS',
  )
  expect(await codeOf(retryAll('state: SENT'))).toBe('VALIDATION_FAILED')
  expect((await retryAll('state: FAILED, failureCode: "PARTY_NOT_FOUND"')).it.retried).toBe(0)
  expect((await retryAll(one)).it).toEqual({ retried: 1, hasMore: false })
  expect(await statesOf()).toEqual(['DUE', 'FAILED', 'FAILED'])
  expect((await retryAll('state: FAILED, failureCode: "TEMPLATE_NOT_FOUND"')).it).toEqual({
    retried: 2,
    hasMore: false,
  })
  await post(bank)
  expect(await statesOf()).toEqual(['SENT', 'SENT', 'SENT'])
  for (const facilityId of loans) expect(await messagesAbout(bank, facilityId)).toHaveLength(1)
  const retried = (await bank.events()).filter(
    ({ type }) => type === 'lending.rate-reset-letter.retried',
  )
  // One of them was tried again twice.
  expect(retried).toHaveLength(4)
})
