/** The letters about resets of rates, on a bank with the whole graph. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { Problem } from '../../../subgraphs/lending/domain/problems.ts'
import {
  SendRateResetLetterDocument,
  SentRateResetLetterDocument,
  StoreRateResetLetterDocument,
} from '../../../subgraphs/lending/queries.generated.ts'
import { sendRateResetLetters } from '../../../subgraphs/lending/workers/rate-resets/letters.ts'
import { aCaller, employee } from '../../kit/subgraph.ts'
import type { CollectionsBank } from '../collections/kit.ts'
import { aCustomer } from '../fees/fee-kit.ts'
import { codeOf } from '../provisioning/kit.ts'
import {
  aBankWithLetters,
  aFloatingLoan,
  aTemplate,
  closed,
  intercept,
  lastRateId,
  lettersOf,
  messagesAbout,
  post,
  record,
  resetOn,
  resetsOf,
  retry,
} from './rate-reset-letter-kit.ts'

const ada = aCaller({ partyId: 'pty_ada' })
const grace = aCaller({ partyId: 'pty_grace' })
const cents = (amount: string) => Math.round(Number(amount) * 100)

let bank: CollectionsBank
beforeAll(async () => {
  bank = await aBankWithLetters()
})
afterAll(() => bank.drop())

describe('a reset that changes the rate', () => {
  let facilityId: string
  beforeAll(async () => {
    facilityId = await aFloatingLoan(bank, { [resetOn]: '3.5' })
    await closed(bank, facilityId, resetOn)
  })

  test('is reported to the borrower, with what the law requires', async () => {
    expect(await lettersOf(bank, facilityId)).toMatchObject([{ state: 'DUE', document: null }])
    expect(await lettersOf(bank, facilityId, ada)).toEqual([])
    await post(bank)
    const [reset] = await resetsOf(bank, facilityId)
    const [letter] = reset.letters
    expect(letter).toMatchObject({
      resetOn,
      state: 'SENT',
      failureCode: null,
      party: { partyId: 'pty_ada' },
      notification: { status: 'DELIVERED', renderedSubject: 'Your new rate' },
      document: {
        title: `Change of the interest rate from ${resetOn}`,
        documentType: 'rate-reset-letter',
        retentionClass: 'CONTRACT',
        isShared: true,
        versions: [{ mediaType: 'application/pdf' }],
      },
    })
    const { scheduleVersions, schedule } = reset.facility
    const [after, before] = scheduleVersions.map(({ figures }: any) => figures)
    const said = Object.fromEntries(
      letter.notification.renderedBody.split(/ (?=\w+=)/).map((each: string) => each.split('=')),
    )
    const added = cents(after.totalInterest.amount) - cents(before.totalInterest.amount)
    expect(added).toBeGreaterThan(0)
    expect(said).toEqual({
      contractId: facilityId,
      currency: 'EUR',
      ratePct: '7.5',
      effectiveFrom: resetOn,
      previousRatePct: '6',
      referenceRate: 'Rate 1',
      referenceRatePct: '3.5',
      fixedOn: resetOn,
      payment: after.installment.amount,
      paymentFrom: '2026-05-10',
      previousPayment: before.installment.amount,
      lastPayment: schedule.at(-1).payment,
      lastPaymentOn: '2027-03-10',
      previousLastPaymentOn: '2027-03-10',
      payments: '11',
      previousPayments: '11',
      frequency: 'monthly',
      additionalInterest: (added / 100).toFixed(2),
    })
  })

  test('is visible to the borrower with its document, and to nobody else', async () => {
    const [letter] = await lettersOf(bank, facilityId, ada)
    expect(letter).toMatchObject({ state: 'SENT', document: { documentType: 'rate-reset-letter' } })
    const read = (caller = aCaller()) =>
      bank.act(
        'query ($id: ID!) { it: rateResetLetter(rateResetLetterId: $id) { state } }',
        { id: letter.rateResetLetterId },
        caller,
      )
    expect((await read(ada)).it).toEqual({ state: 'SENT' })
    expect((await read(grace)).it).toBe(null)
    expect((await read()).it).toEqual({ state: 'SENT' })
    const list = 'query { rateResetLetters { nodes { state } } }'
    expect(await codeOf(bank.act(list, {}, ada))).toBe('NOT_FOR_DELEGATED_USERS')
    expect(await codeOf(retry(bank, letter.rateResetLetterId, ada))).toBe('NOT_FOR_DELEGATED_USERS')
    expect(await codeOf(retry(bank, letter.rateResetLetterId))).toBe('INVALID_STATE_TRANSITION')
    expect(await codeOf(retry(bank, 'rrl_unknown'))).toBe('RATE_RESET_LETTER_NOT_FOUND')
  })

  test('is reported once, even if two processes send it and both die before they record it', async () => {
    const loanId = await aFloatingLoan(bank, { [resetOn]: '3' })
    await closed(bank, loanId, resetOn)
    const restore = intercept(bank, SendRateResetLetterDocument, async (send) => {
      await send()
      throw new Error('killed')
    })
    const run = () => sendRateResetLetters.run(bankContext(bank.bank)).catch(() => 'killed')
    expect(await Promise.all([run(), run()])).toEqual(['killed', 'killed'])
    restore()
    await Promise.allSettled([post(bank), post(bank)])
    await closed(bank, loanId, addDays(resetOn, 1))
    await post(bank)
    expect(await lettersOf(bank, loanId)).toMatchObject([{ state: 'SENT' }])
    expect(await messagesAbout(bank, loanId)).toHaveLength(1)
  })
})

describe('letters about resets', () => {
  test('are not sent if the rate stays the same', async () => {
    const facilityId = await aFloatingLoan(bank, { [resetOn]: '2' })
    await closed(bank, facilityId, resetOn)
    await post(bank)
    expect(await resetsOf(bank, facilityId)).toMatchObject([{ resetOn, ratePct: '6', letters: [] }])
  })

  test('are sent for each reset when the clock jumps', async () => {
    const facilityId = await aFloatingLoan(bank, {
      [resetOn]: '3',
      '2026-05-10': '3',
      '2026-06-10': '4',
    })
    await closed(bank, facilityId, '2026-06-11')
    await post(bank)
    const letters = await lettersOf(bank, facilityId)
    expect(letters.map((each) => each.resetOn)).toEqual(['2026-06-10', resetOn])
    const bodies = letters.map(({ notification }) => notification.renderedBody)
    expect(bodies[0]).toContain('ratePct=8 effectiveFrom=2026-06-10 previousRatePct=7')
    expect(bodies[1]).toContain('ratePct=7 effectiveFrom=2026-04-10 previousRatePct=6')
  })

  test('are sent once for resets that waited for their fixings and take effect on one day', async () => {
    const facilityId = await aFloatingLoan(bank, {}, 20)
    await closed(bank, facilityId, '2026-06-11')
    await record(bank, lastRateId(), { [resetOn]: '3', '2026-05-10': '4' })
    await closed(bank, facilityId, '2026-06-12')
    await post(bank)
    const resets = await resetsOf(bank, facilityId)
    expect(resets.map(({ letters }) => letters.length)).toEqual([1, 0])
    const body: string = resets[0].letters[0].notification.renderedBody
    expect(body).toContain('ratePct=8 effectiveFrom=2026-06-10 previousRatePct=6')
    const { scheduleVersions } = resets[0].facility
    const [after, before] = [scheduleVersions[0], scheduleVersions.at(-1)].map((each) =>
      cents(each.figures.totalInterest.amount),
    )
    expect(scheduleVersions).toHaveLength(3)
    expect(body).toContain(`additionalInterest=${((after! - before!) / 100).toFixed(2)}`)
  })

  test('go to co-borrowers in their language, and not to guarantors', async () => {
    await aTemplate(bank, 'de', 'Ihr neuer Zinssatz')
    await aCustomer(bank, 'joe')
    await bank.act(
      'mutation { updateParty(input: { partyId: "pty_grace", language: "de" }) { partyId } }',
    )
    const facilityId = await aFloatingLoan(bank, { [resetOn]: '3' })
    const add = (input: object) =>
      bank.act(
        'mutation ($input: AddFacilityObligorInput!) { addFacilityObligor(input: $input) { obligorId } }',
        { input: { facilityId, ...input } },
        employee,
      )
    await add({ partyId: 'pty_grace', role: 'CO_BORROWER' })
    const guarantee = { percentage: '100', documentId: 'doc_guarantee' }
    await add({ partyId: 'pty_joe', role: 'GUARANTOR', ...guarantee })
    await closed(bank, facilityId, resetOn)
    await post(bank)
    const letters = await lettersOf(bank, facilityId)
    const subjects = letters.map(({ party, notification }) => [
      party.partyId,
      notification.renderedSubject,
    ])
    expect(Object.fromEntries(subjects)).toEqual({
      pty_ada: 'Your new rate',
      pty_grace: 'Ihr neuer Zinssatz',
    })
    expect(letters).toHaveLength(2)
    const [own, ...others] = await lettersOf(bank, facilityId, grace)
    expect(own).toMatchObject({ party: { partyId: 'pty_grace' }, document: { isShared: true } })
    expect(others).toEqual([])
  })

  test('that have no template fail, and are sent when they are tried again', async () => {
    const facilityId = await aFloatingLoan(bank, { [resetOn]: '3' })
    await closed(bank, facilityId, resetOn)
    const restore = intercept(bank, SendRateResetLetterDocument, () =>
      Promise.reject(new Problem('TEMPLATE_NOT_FOUND')),
    )
    await post(bank)
    restore()
    const [failed] = await lettersOf(bank, facilityId)
    expect(failed).toMatchObject({ state: 'FAILED', failureCode: 'TEMPLATE_NOT_FOUND' })
    const list = `query ($id: ID!) { it: rateResetLetters(facilityId: $id, state: FAILED) {
      nodes { rateResetLetterId facility { facilityId } } } }`
    expect((await bank.act(list, { id: facilityId })).it.nodes).toEqual([
      { rateResetLetterId: failed.rateResetLetterId, facility: { facilityId } },
    ])
    expect((await retry(bank, failed.rateResetLetterId)).it).toEqual({
      state: 'DUE',
      failureCode: null,
    })
    await post(bank)
    expect(await lettersOf(bank, facilityId)).toMatchObject([{ state: 'SENT', failureCode: null }])
    expect(await messagesAbout(bank, facilityId)).toHaveLength(1)
  })

  test('whose document is rejected are stored again without being sent again', async () => {
    const facilityId = await aFloatingLoan(bank, { [resetOn]: '3' })
    await closed(bank, facilityId, resetOn)
    const restore = intercept(bank, StoreRateResetLetterDocument, () =>
      Promise.reject(new Problem('RESOURCE_EXISTS')),
    )
    await post(bank)
    restore()
    const [letter] = await lettersOf(bank, facilityId)
    expect(letter).toMatchObject({ state: 'NOT_STORED', failureCode: 'RESOURCE_EXISTS' })
    expect((await retry(bank, letter.rateResetLetterId)).it.state).toBe('ACCEPTED')
    await post(bank)
    expect(await lettersOf(bank, facilityId)).toMatchObject([{ state: 'SENT', failureCode: null }])
    expect(await messagesAbout(bank, facilityId)).toHaveLength(1)
  })

  test('that could not be delivered are sent again as another notification', async () => {
    const facilityId = await aFloatingLoan(bank, { [resetOn]: '3' })
    await closed(bank, facilityId, resetOn)
    const restore = intercept(bank, SentRateResetLetterDocument, async (query) => {
      const { notification, ...rest } = await query()
      return { ...rest, notification: { ...notification, status: 'FAILED' } }
    })
    await post(bank)
    restore()
    const [letter] = await lettersOf(bank, facilityId)
    expect(letter).toMatchObject({ state: 'UNDELIVERED', document: null })
    await retry(bank, letter.rateResetLetterId)
    await post(bank)
    expect(await lettersOf(bank, facilityId)).toMatchObject([{ state: 'SENT' }])
    expect(await messagesAbout(bank, facilityId)).toHaveLength(2)
  })

  // The last test: Ada stays dead.
  test('to a deceased borrower are suppressed, and the co-borrower gets one', async () => {
    const facilityId = await aFloatingLoan(bank, { [resetOn]: '3' })
    const input = { facilityId, partyId: 'pty_grace', role: 'CO_BORROWER' }
    await bank.act(
      'mutation ($input: AddFacilityObligorInput!) { addFacilityObligor(input: $input) { obligorId } }',
      { input },
      employee,
    )
    await bank.act('mutation { recordDeath(partyId: "pty_ada", diedOn: "2026-03-09") { status } }')
    await closed(bank, facilityId, resetOn)
    await post(bank)
    const letters = await lettersOf(bank, facilityId)
    const byParty = Object.fromEntries(letters.map((each) => [each.party.partyId, each]))
    expect(byParty).toMatchObject({
      pty_ada: { state: 'SUPPRESSED', document: null, notification: { status: 'SUPPRESSED' } },
      pty_grace: { state: 'SENT' },
    })
  })
})
