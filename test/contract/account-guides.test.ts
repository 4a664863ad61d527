// Runs the code of the guides on interest, term deposits, reference rates and overdrafts exactly as printed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { readPdf } from '../domain/kernel/pdf-reader.ts'
import { resultsOf, stepsOf, staffToken } from './guide-kit.ts'

describe('earn-interest.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each command has the result that the guide describes', async () => {
    const results = await resultsOf('earn-interest.md', bank)
    const [year, days, preview, product, account, deposit, clock, accrued] = results
    const { balances, interest } = year.accountArrangement
    expect(Number(balances[0].committed)).toBeGreaterThan(12_180)
    expect(interest.capitalizations.nodes).toHaveLength(3)
    for (const { gross, taxWithheld, net } of interest.capitalizations.nodes) {
      expect(Number(gross.amount)).toBeGreaterThan(21.67)
      expect(Number(taxWithheld.amount) + Number(net.amount)).toBeCloseTo(Number(gross.amount), 2)
    }
    const { accruals, adjustments } = days.accountArrangement.interest
    expect(accruals.nodes).toHaveLength(5)
    for (const { exactAmount } of accruals.nodes) expect(exactAmount).toMatch(/^\d\.\d{10}$/)
    expect(adjustments.nodes).toEqual([])
    // 2 % of 10,000.00 and 3 % of the rest, with interest on interest less tax.
    const gross = Number(preview.previewInterest.gross.amount)
    expect(gross).toBeGreaterThan(500)
    expect(gross).toBeLessThan(510)
    expect(product.createProduct.productId).toBe('prd_quarterly')
    expect(account.openAccountArrangement.arrangementId).toBe('arr_ada_quarterly')
    expect(deposit.status).toBe('accepted')
    expect(clock).toContain('all work that was due is done')
    const payment = accrued.accrueInterest.capitalizations.nodes.at(-1)
    expect(payment.paidTo.arrangementId).toBe('arr_ada_quarterly')
    expect(Number(payment.net.amount)).toBeGreaterThan(0)
    expect(Number(payment.net.amount)).toBeLessThan(7)
  })
})

describe('send-statements.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each command has the result that the guide describes', async () => {
    const [loan, files, account, year] = await resultsOf('send-statements.md', bank)
    const { opening, closing, movements } = loan.loan.statement
    const changed = movements.reduce(
      (total: number, { principal, interest }: any) => total + Number(principal) + Number(interest),
      Number(opening.total),
    )
    expect(changed).toBeCloseTo(Number(closing.total), 2)
    const kinds = movements.map(({ kind }: any) => kind)
    expect(kinds.filter((kind: string) => kind === 'REPAYMENT')).toHaveLength(3)
    const { csv, pdf } = files.facility.statement
    expect(Buffer.from(csv.contentBase64, 'base64').toString()).toMatch(/^value_date,kind,/)
    const { tags } = await readPdf(Buffer.from(pdf.contentBase64, 'base64'))
    expect(tags).toContain('    P: Borrower: Ada Lovelace')
    const stated = await readPdf(
      Buffer.from(account.accountArrangement.statement.pdf.contentBase64, 'base64'),
    )
    expect(stated.tags).toContain('    P: Account holder: Ada Lovelace')
    const { interestPaid, isFinal, file } = year.facility.annualCertificate
    expect([Number(interestPaid) >= 0, isFinal]).toEqual([true, false])
    expect(file.fileName).toMatch(/^loan_ada-\d{4}\.pdf$/)
    expect(Number(year.accountArrangement.annualCertificate.closingBalance.amount)).toBeGreaterThan(
      12_000,
    )
  })
})

describe('follow-a-reference-rate.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each command has the result that the guide describes', async () => {
    const results = await resultsOf('follow-a-reference-rate.md', bank)
    const [, recorded, , loan, preview, , closed, informed, , account] = results
    expect(recorded.recordReferenceRateFixings.latestFixing.ratePct).toBe('2.15')
    const { currentRatePct, floatingRate } = loan.openFacility
    expect([currentRatePct, floatingRate.marginPct]).toEqual(['5', '2.85'])
    const { previousRatePct, ratePct, before, after } = preview.rateResetPreview
    expect([previousRatePct, ratePct]).toEqual(['5', '5.75'])
    const { rateResets, scheduleVersions } = closed.closeFacilityDays
    expect(rateResets).toMatchObject([{ fixingPct: '2.9', ratePct: '5.75', scheduleVersion: 2 }])
    const [{ letters }] = informed.loan.rateResets
    expect(letters).toMatchObject([{ party: { partyId: 'pty_ada' }, failureCode: null }])
    const [now, then] = scheduleVersions
    expect(now.cause).toBe('RATE_CHANGE')
    expect(now.figures).toEqual({
      installment: after.installment,
      totalInterest: expect.anything(),
    })
    expect(then.figures.installment).toEqual(before.installment)
    expect(Number(after.installment.amount)).toBeGreaterThan(Number(before.installment.amount))
    expect(account.openAccountArrangement.interest.currentTiers).toEqual([{ annualRatePct: '2.4' }])
  })
})

describe('deposit-for-a-term.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each command has the result that the guide describes', async () => {
    const results = await resultsOf('deposit-for-a-term.md', bank)
    const [, , preview, created, changed, , accrued, withdrawal, withdrawn] = results
    const { annualRatePct, gross, taxWithheld, net } = preview.previewTermDeposit
    expect(annualRatePct).toBe('2.75')
    // 365 or 366 days of 10,000.00 at 2.75 percent.
    expect(['275.00', '275.75']).toContain(gross.amount)
    expect(Number(net.amount) + Number(taxWithheld.amount)).toBe(Number(gross.amount))
    expect(created.createTermDeposit).toMatchObject({
      state: 'ACTIVE',
      annualRatePct: '2.75',
      principal: { amount: '10000.00' },
    })
    expect(changed.changeMaturityInstruction.maturityInstruction).toBe('RENEW_WITH_INTEREST')
    const { nextCapitalizationOn } = accrued.accrueInterest
    expect(nextCapitalizationOn).toBe(created.createTermDeposit.maturesOn)
    const { endsOn, interest, penalty, paidOut } = withdrawal.previewTermDepositWithdrawal
    expect(penalty.amount).toBe('67.80')
    const tax = Math.floor(Number(interest.amount) * 25 + 1e-6) / 100
    expect(Number(paidOut.amount)).toBeCloseTo(10_000 + Number(interest.amount) - tax - 67.8, 2)
    expect(withdrawn.withdrawTermDeposit).toEqual({
      state: 'WITHDRAWN',
      endedOn: endsOn,
      interest,
      penalty,
      paidOut,
    })
    const [proposed, approved, offered, seen, opened] = results.slice(9)
    expect(proposed.proposeSelfServiceSetting.state).toBe('PROPOSED')
    expect(approved.approveSelfServiceSetting).toEqual({ state: 'APPROVED', decidedBy: 'anna' })
    const products = offered.depositOffers.map((each: any) => each.productId)
    expect(products).toContain('prd_fixed')
    const { productVersion, endsOn: maturesOn } = seen.previewDepositOpening
    expect(productVersion).toBe('2026.1')
    expect(opened.openDeposit).toMatchObject({
      annualRatePct: '2.75',
      maturesOn,
      amount: { amount: '1000.00' },
    })
  })
})

describe('arrange-an-overdraft.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each operation has the result that the guide describes', async () => {
    const today = bank.bank.now().getTime()
    const dayIn = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10)
    const variables = { nextMonth: dayIn(31), until: dayIn(30) }
    const results: Record<string, any> = {}
    for (const { query, operationName } of stepsOf('arrange-an-overdraft.md', bank)) {
      const subject = operationName.startsWith('Approve') ? 'cora' : 'tina'
      // Between the approval of the end and the next operation, the guide moves the clock.
      if (operationName === 'ChargeInterest') await resultsOf('arrange-an-overdraft.md', bank)
      const token = staffToken(bank, subject)
      const { body } = await bank.graph(query, variables, { token })
      expect(body.errors, operationName).toBeUndefined()
      results[operationName] = body.data
    }
    const { overdraft, overdraftInterest } = results['Overdrawn'].accountArrangement
    expect(overdraft.limit.amount).toBe('1000.00')
    expect(overdraftInterest.charges.nodes.length).toBeGreaterThan(0)
    expect(overdraftInterest.accruals.nodes).toHaveLength(5)
    // 1,000.00 less 50.00 at 9.9 percent for 30 days.
    const cost = Number(results['Preview'].previewOverdraft.interest.amount)
    expect(cost).toBeGreaterThan(7.7)
    expect(cost).toBeLessThan(7.8)
    expect(results['Propose'].proposeOverdraft.state).toBe('PROPOSED')
    expect(results['Approve'].approveOverdraft.state).toBe('APPROVED')
    expect(results['Changed'].accountArrangement.overdraftLimit.amount).toBe('2500.00')
    expect(results['Lower'].proposeOverdraft.validFrom).toBe(variables.nextMonth)
    expect(results['Float'].proposeOverdraft).toEqual({
      state: 'PROPOSED',
      floatingRate: { referenceRateId: 'SAMPLE-3M' },
    })
    expect(results['Fee'].accountArrangement.commitmentFee).toBeNull()
    const { currentRates, accruals } = results['Rates'].accountArrangement.overdraftInterest
    expect(currentRates).toMatchObject({ annualRatePct: '8.9', fixingPct: null, isOverdue: false })
    expect(accruals.nodes[0].rates).toMatchObject({ annualRatePct: '9.9', fixedOn: null })
    expect(results['Withdraw'].proposeOverdraft.validFrom).toBe(variables.nextMonth)
    const { debitAccountId, amount } = results['PreviewWriteOff'].overdraftWriteOffPreview
    expect(debitAccountId).toBe('loan-losses/EUR')
    expect(results['ApproveWriteOff'].approveOverdraftWriteOff).toEqual({
      state: 'APPROVED',
      amount,
    })
    const { recovered, unrecovered } = results['Recover'].recoverOverdraft
    expect(recovered.amount).toBe('100.00')
    expect(Number(unrecovered.amount)).toBeCloseTo(Number(amount.amount) - 100, 2)
  })
})

describe('share-an-account.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each operation has the result that the guide describes', async () => {
    const ada = bank.token({ partyId: 'pty_ada' })
    const grace = bank.token({ partyId: 'pty_grace' })
    const [tina, cora] = [staffToken(bank, 'tina'), staffToken(bank, 'cora')]
    const tokens: Record<string, string> = {
      AddHolder: tina,
      Joint: grace,
      ProposeRule: tina,
      ApproveRule: cora,
      Pay: ada,
      ToSign: grace,
      Sign: grace,
      ProposeRemoval: tina,
      ApproveRemoval: cora,
    }
    const results: Record<string, any> = {}
    for (const { query, operationName } of stepsOf('share-an-account.md', bank)) {
      const { body } = await bank.graph(query, {}, { token: tokens[operationName]! })
      expect(body.errors, operationName).toBeUndefined()
      results[operationName] = body.data
    }
    expect(results['AddHolder'].addAccountHolder).toEqual({ right: 'MANAGE', isHolder: true })
    expect(results['Joint'].accountArrangement.holders).toHaveLength(1)
    expect(results['ApproveRule'].approveSigningRule.state).toBe('APPROVED')
    expect(results['Pay'].createTransfer.state).toBe('PENDING_SIGNATURES')
    expect(results['ToSign'].paymentsToSign.nodes).toMatchObject([
      { paymentId: 'pay_joint', signatures: [{ partyId: 'pty_ada' }] },
    ])
    expect(results['Sign'].signPayment).toEqual({
      state: 'SETTLED',
      signatures: [
        { partyId: 'pty_ada', isInitiator: true },
        { partyId: 'pty_grace', isInitiator: false },
      ],
    })
    expect(results['ApproveRemoval'].approveAccountHolderRemoval.status).toBe('REVOKED')
  })
})
