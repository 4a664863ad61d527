import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ada,
  applicationIn,
  aProduct,
  bank,
  creating,
  day,
  tryMutation,
  good,
  openBank,
  publish,
  read,
  row,
  submitting,
  eventTypesOf,
  unique,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const problemOf = ({ errors }: { errors: readonly any[] }) => errors[0]?.extensions

describe('application draft', () => {
  test('stores what is known, and emits no personal details', async () => {
    const made = good(
      await creating({
        quoteId: 'quo_1',
        monthlyIncome: eur('4000.00'),
        monthlyObligations: eur('0'),
        employedMonths: 7,
        purpose: 'A loom',
        documents: ['doc_1', 'doc_1'],
        declarations: [
          { code: 'credit-bureau-check', accepted: false },
          { code: 'credit-bureau-check', accepted: true },
        ],
        settlementArrangementId: 'arr_ada',
      }),
    )
    expect(made).toMatchObject({
      status: 'DRAFT',
      decisionMode: 'HYBRID',
      quoteId: 'quo_1',
      productVersion: '2026.1',
      monthlyObligations: { amount: '0.00' },
      documents: ['doc_1'],
      declarations: [{ code: 'credit-bureau-check', accepted: true }],
    })
    const events = (await bank.events()).filter(({ subject }) =>
      subject.endsWith(made.applicationId),
    )
    expect(events).toMatchObject([
      { type: 'lending.loan-application.created', parties: ['pty_ada'] },
    ])
    expect(JSON.stringify(events[0]!.data)).not.toMatch(/loom|400000|income/i)
  })

  test('takes missing terms from its quote', async () => {
    const made = good(
      await creating({
        productId: null,
        requestedAmount: null,
        termMonths: null,
        quoteId: 'quo_1',
      }),
    )
    expect(made).toMatchObject({
      productId: 'prd_loan',
      requestedAmount: eur('12000.00'),
      termMonths: 12,
    })
  })

  test('is created once when the request is repeated', async () => {
    const applicationId = unique('app')
    const first = good(await creating({ applicationId }))
    expect(good(await creating({ applicationId }))).toEqual(first)
    expect((await creating({ applicationId, termMonths: 24 })).code).toBe('RESOURCE_EXISTS')
    expect(await eventTypesOf(applicationId)).toEqual(['loan-application.created'])
  })

  test.each<[object, string, string]>([
    [{ customerId: 'cus_none' }, 'CUSTOMER_NOT_FOUND', '/customerId'],
    [{ productId: 'prd_none' }, 'PRODUCT_NOT_FOUND', '/productId'],
    [{ quoteId: 'quo_none' }, 'QUOTE_NOT_FOUND', '/quoteId'],
    [{ quoteId: 'quo_grace' }, 'QUOTE_MISMATCH', '/quoteId'],
    [{ quoteId: 'quo_1', productId: 'prd_hybrid' }, 'QUOTE_MISMATCH', '/quoteId'],
    [{ settlementArrangementId: 'arr_x' }, 'ARRANGEMENT_NOT_FOUND', '/settlementArrangementId'],
    [{ requestedAmount: eur('0') }, 'AMOUNT_OUT_OF_RANGE', '/requestedAmount'],
    [{ requestedAmount: eur('-1') }, 'AMOUNT_OUT_OF_RANGE', '/requestedAmount'],
    [
      { requestedAmount: { amount: '1'.repeat(15), currency: 'CLF' } },
      'AMOUNT_OUT_OF_RANGE',
      '/requestedAmount',
    ],
    [{ requestedAmount: eur('1.001') }, 'VALIDATION_FAILED', '/requestedAmount/amount'],
    [{ termMonths: 0 }, 'TERM_OUT_OF_RANGE', '/termMonths'],
    [{ termMonths: 2147483647 }, 'TERM_OUT_OF_RANGE', '/termMonths'],
    [{ employedMonths: -1 }, 'VALIDATION_FAILED', '/employedMonths'],
    [{ monthlyIncome: eur('-0.01') }, 'VALIDATION_FAILED', '/monthlyIncome'],
    [
      { monthlyIncome: { amount: '1', currency: 'USD' } },
      'CURRENCY_MISMATCH',
      '/monthlyIncome/currency',
    ],
    [
      { documents: Array.from({ length: 51 }, (_, at) => `doc_${at}`) },
      'VALIDATION_FAILED',
      '/documents',
    ],
    [
      { declarations: Array.from({ length: 51 }, (_, at) => ({ code: `d${at}`, accepted: true })) },
      'VALIDATION_FAILED',
      '/declarations',
    ],
  ])('with %j is rejected', async (more, code, pointer) => {
    const before = (await bank.events()).length
    expect(problemOf(await creating(more))).toMatchObject({ code, errors: [{ pointer }] })
    expect(await bank.events()).toHaveLength(before)
  })
})

describe('submission', () => {
  test('returns its checks and the date by which a decision is due', async () => {
    const id = await applicationIn('draft')
    const answer = good(await submitting(id, { submittedAt: '2026-03-01T12:00:00Z' }))
    expect(answer).toMatchObject({
      status: 'SUBMITTED',
      submittedAt: '2026-03-01T12:00:00.000Z',
      decisionMode: 'MANUAL',
      decisionDueBy: '2026-03-31',
    })
    expect(answer.checks).toContainEqual({ code: 'quote', status: 'NOT_NEEDED' })
    expect(await eventTypesOf(id)).toEqual([
      'loan-application.created',
      'credit-application.submitted',
    ])
  })

  test('supplies what the draft lacked', async () => {
    const empty = { productId: null, requestedAmount: null, termMonths: null }
    const { applicationId } = good(await creating(empty))
    const refused = problemOf(await submitting(applicationId))
    expect(refused).toMatchObject({ code: 'APPLICATION_INCOMPLETE' })
    expect(refused.errors.map(({ pointer }: any) => pointer)).toEqual([
      '/productId',
      '/requestedAmount',
      '/termMonths',
    ])
    good(await submitting(applicationId, { quoteId: 'quo_1' }))
    expect((await read(applicationId)).data.loanApplication).toMatchObject({
      quoteId: 'quo_1',
      requestedAmount: { amount: '12000.00' },
    })
  })

  test('of an unknown application creates it if the request is complete', async () => {
    const id = unique('app')
    const complete = { customerId: 'cus_ada', quoteId: 'quo_1', purpose: 'A kiln' }
    good(await submitting(id, complete))
    expect(await eventTypesOf(id)).toEqual([
      'loan-application.created',
      'credit-application.submitted',
    ])
    expect((await row(id))['version']).toBe(1)
    for (const partial of [{}, { customerId: 'cus_ada' }, { quoteId: 'quo_1' }]) {
      expect((await submitting(unique('app'), partial)).code).toBe('APPLICATION_NOT_FOUND')
    }
    const incomplete = { customerId: 'cus_ada', productId: 'prd_loan' }
    expect((await submitting(unique('app'), incomplete)).code).toBe('APPLICATION_INCOMPLETE')
  })

  test.each<[string, object, object, string, string]>([
    ['a suspended customer', { customerId: 'cus_gone' }, {}, 'CUSTOMER_NOT_ACTIVE', '/customerId'],
    [
      'an unidentified customer',
      { customerId: 'cus_unknown' },
      {},
      'KYC_INCOMPLETE',
      '/customerId',
    ],
    ['a suspended product', { productId: 'prd_old' }, {}, 'PRODUCT_NOT_ACTIVE', '/productId'],
    [
      'a product that is not a credit product',
      { productId: 'prd_current' },
      {},
      'PRODUCT_NOT_LENDABLE',
      '/productId',
    ],
    ['an expired quote', { quoteId: 'quo_old' }, {}, 'QUOTE_EXPIRED', '/quoteId'],
    [
      'an amount below the minimum',
      { requestedAmount: eur('999.99') },
      {},
      'AMOUNT_OUT_OF_RANGE',
      '/requestedAmount',
    ],
    [
      'an amount above the maximum',
      {},
      { requestedAmount: eur('50000.01') },
      'AMOUNT_OUT_OF_RANGE',
      '/requestedAmount',
    ],
    [
      'a currency that is not offered',
      {},
      { requestedAmount: { amount: '5000', currency: 'USD' } },
      'CURRENCY_NOT_OFFERED',
      '/requestedAmount/currency',
    ],
    ['a term that is too long', {}, { termMonths: 85 }, 'TERM_OUT_OF_RANGE', '/termMonths'],
    ['a missing consent', { productId: 'prd_signed' }, {}, 'CONSENT_REQUIRED', '/declarations'],
    [
      'a refused consent',
      {},
      { declarations: [{ code: 'credit-bureau-check', accepted: false }] },
      'CONSENT_REQUIRED',
      '/declarations',
    ],
    [
      'a submission time in the future',
      {},
      { submittedAt: '2026-03-03T09:00:00Z' },
      'SUBMITTED_AT_IN_FUTURE',
      '/submittedAt',
    ],
    ['another customer', {}, { customerId: 'cus_grace' }, 'VALIDATION_FAILED', '/customerId'],
  ])('with %s is rejected', async (_name, draft, more, code, pointer) => {
    const id = await applicationIn('draft', draft)
    const before = await row(id)
    expect(problemOf(await submitting(id, more))).toMatchObject({ code, errors: [{ pointer }] })
    expect(await row(id)).toEqual(before)
  })

  test('is rejected when it is repeated; a limit needs no term', async () => {
    const id = await applicationIn('submitted')
    expect((await submitting(id)).code).toBe('APPLICATION_ALREADY_SUBMITTED')
    expect((await submitting(id, { purpose: 'x' })).code).toBe('INVALID_STATE_TRANSITION')
    await applicationIn('submitted', { productId: 'prd_limit', termMonths: null })
  })

  test('is limited to the open applications that the product allows, also concurrently', async () => {
    const consent = { declarations: [{ code: 'credit-bureau-check', accepted: true }] }
    const draft = () => applicationIn('draft', { productId: 'prd_signed', ...consent })
    const ids = [await draft(), await draft()]
    const codes = (await Promise.all(ids.map((id) => submitting(id)))).map(({ code }) => code)
    expect(codes.map(String).toSorted()).toEqual(['OPEN_REQUEST_EXISTS', 'undefined'])
    const [first, second] = codes[0] ? ids.toReversed() : ids
    good(await tryMutation('withdrawLoanApplication(applicationId: $id) { status }', first!))
    good(await submitting(second!))
  })

  test('for another product counts toward the limit of that product', async () => {
    const products = { prd_one: '1', prd_two: '2' }
    for (const [productId, openApplications] of Object.entries(products)) {
      const product = aProduct(productId, { decisionMode: 'manual', openApplications })
      await publish(`product/${productId}`, product)
    }
    const updated = async () => {
      const id = await applicationIn('in-review', { productId: 'prd_one' })
      good(
        await tryMutation('returnLoanApplication(applicationId: $id, wanted: "x") { status }', id),
      )
      return submitting(id, { productId: 'prd_two' })
    }
    await applicationIn('submitted', { productId: 'prd_two' })
    good(await updated())
    expect((await updated()).code).toBe('OPEN_REQUEST_EXISTS')
  })

  test('can be repeated after the application was returned for information', async () => {
    const id = await applicationIn('in-review')
    good(
      await tryMutation(
        'returnLoanApplication(applicationId: $id, wanted: "A payslip.") { status }',
        id,
      ),
    )
    const request = (await read(id, { caller: ada })).data.loanApplication
    expect(request).toMatchObject({ status: 'SUBMITTED', informationRequested: 'A payslip.' })
    bank.clock.advance(day)
    good(await submitting(id, { documents: ['doc_payslip'] }, { caller: ada }))
    expect((await read(id)).data.loanApplication).toMatchObject({
      status: 'SUBMITTED',
      informationRequested: null,
      documents: ['doc_payslip'],
    })
  })
})
