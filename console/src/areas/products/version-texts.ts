import {
  formatDate,
  formatMoney,
  formatMonths,
  formatRate,
  readable,
  type MoneyValue,
} from '../../parts/format.ts'
import type { FeePartsFragment, VersionPartsFragment } from './queries.generated.ts'

type Waiver = FeePartsFragment['waivers'][number]
type Price = { amount?: MoneyValue | null; percent?: string | null }

/** One line of the comparison of versions: a term, and what each version says about it. */
export interface ComparedTerm {
  name: string
  texts: readonly string[]
  isDifferent: boolean
}

const priceText = ({ amount, percent }: Price): string =>
  amount ? formatMoney(amount) : percent ? formatRate(percent) : ''

/** Writes a fee as a person reads it: `€4.50, monthly`. */
export function feeText(fee: FeePartsFragment): string {
  const tiers = fee.tiers.map((tier) =>
    tier.upTo ? `up to ${formatMoney(tier.upTo)}: ${priceText(tier)}` : `above: ${priceText(tier)}`,
  )
  return [
    priceText(fee) || tiers.join('; '),
    readable(fee.frequency).toLowerCase(),
    fee.trigger && readable(fee.trigger).toLowerCase(),
    fee.thirdParty && `for ${fee.thirdParty}`,
    fee.minimum && `at least ${formatMoney(fee.minimum)}`,
    fee.maximum && `at most ${formatMoney(fee.maximum)}`,
    ...fee.waivers.map((waiver) => `waived: ${waiverText(waiver)}`),
  ]
    .filter(Boolean)
    .join(', ')
}

function waiverText({ kind, minimumBalance, segment, months, campaignCode, from, to }: Waiver) {
  const period = [from && `from ${formatDate(from)}`, to && `to ${formatDate(to)}`]
  const conditions: Record<Waiver['kind'], string> = {
    MINIMUM_BALANCE: `balance of at least ${minimumBalance ? formatMoney(minimumBalance) : '0'}`,
    CUSTOMER_SEGMENT: `segment ${segment}`,
    ACCOUNT_AGE: `first ${months} months`,
    CAMPAIGN: `campaign ${campaignCode}`,
  }
  return [conditions[kind], ...period].filter(Boolean).join(' ')
}

type Parameter = VersionPartsFragment['parameters'][number]

function parameterText({ type, minimum, maximum, default: byDefault }: Parameter): string {
  return [
    readable(type),
    minimum && `from ${minimum}`,
    maximum && `to ${maximum}`,
    byDefault && `by default ${byDefault}`,
  ]
    .filter(Boolean)
    .join(' ')
}

type RateReset = NonNullable<NonNullable<VersionPartsFragment['interest']>['reset']>

function resetText({ frequency, lookbackDays, minimumRatePct, maximumRatePct }: RateReset) {
  return [
    readable(frequency),
    `fixing of ${lookbackDays} days before`,
    `at least ${formatRate(minimumRatePct)}`,
    maximumRatePct && `at most ${formatRate(maximumRatePct)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

type DepositInterest = NonNullable<VersionPartsFragment['depositInterest']>

function depositText(terms: DepositInterest): string {
  const { tiers, floatingRate, capitalization, minimumBalance, withholdingTaxPct } = terms
  const rates = tiers.map(({ upTo, annualRatePct }) =>
    upTo
      ? `up to ${formatMoney(upTo)}: ${formatRate(annualRatePct)}`
      : `${tiers.length > 1 ? 'above: ' : ''}${formatRate(annualRatePct)}`,
  )
  return [
    rates.join('; '),
    floatingRate && `on top of ${floatingRate.referenceRateId}`,
    `paid ${readable(capitalization).toLowerCase()}`,
    minimumBalance && `from a balance of ${formatMoney(minimumBalance)}`,
    Number(withholdingTaxPct) > 0 && `${formatRate(withholdingTaxPct)} tax withheld`,
  ]
    .filter(Boolean)
    .join(', ')
}

type FixedTerms = NonNullable<DepositInterest['fixedTerms']>

function fixedTermsText({ offers, earlyWithdrawal, ...bounds }: FixedTerms): string {
  const { minimumAmount, maximumAmount } = bounds
  return [
    offers
      .map(({ months, annualRatePct }) => `${formatMonths(months)}: ${formatRate(annualRatePct)}`)
      .join('; '),
    minimumAmount && `from ${formatMoney(minimumAmount)}`,
    maximumAmount && `up to ${formatMoney(maximumAmount)}`,
    earlyWithdrawal ? withdrawalText(earlyWithdrawal) : 'no early withdrawal',
  ]
    .filter(Boolean)
    .join(', ')
}

function withdrawalText({
  noticeDays,
  penaltyDays,
  penaltyRatePct,
  isPrincipalProtected,
}: NonNullable<FixedTerms['earlyWithdrawal']>): string {
  return [
    noticeDays > 0 ? `withdrawal after ${noticeDays} days of notice` : 'withdrawal at any time',
    penaltyDays > 0 && `less ${penaltyDays} days of interest`,
    Number(penaltyRatePct) > 0 && `less ${formatRate(penaltyRatePct)} a year`,
    isPrincipalProtected && 'at most the interest after tax',
  ]
    .filter(Boolean)
    .join(', ')
}

type Overdraft = NonNullable<VersionPartsFragment['overdraft']>

const overdraftText = (terms: Overdraft): string => {
  const { annualRatePct, unarrangedRatePct, charging, floatingRate, commitmentFeePct } = terms
  const base = floatingRate ? `${floatingRate.referenceRateId} plus ` : ''
  return (
    `${base}${formatRate(annualRatePct)} within the limit, ` +
    `${base}${formatRate(unarrangedRatePct)} beyond it, ` +
    (commitmentFeePct ? `${formatRate(commitmentFeePct)} of the unused limit, ` : '') +
    `charged ${readable(charging).toLowerCase()}`
  )
}

type Term = readonly [name: string, text: (version: VersionPartsFragment) => string]

const terms: readonly Term[] = [
  ['Name', ({ name }) => name],
  ['Class', ({ productClass }) => readable(productClass)],
  ['Description', ({ description }) => description ?? ''],
  ['Currencies', ({ currencies }) => currencies.join(', ')],
  ['Base rate', ({ interest }) => (interest ? formatRate(interest.basePct) : '')],
  ['Margin', ({ interest }) => (interest ? formatRate(interest.marginPct) : '')],
  ['Reference rate', ({ interest }) => interest?.referenceRate ?? ''],
  ['Rate resets', ({ interest }) => (interest?.reset ? resetText(interest.reset) : '')],
  [
    'Deposit interest',
    ({ depositInterest }) => (depositInterest ? depositText(depositInterest) : ''),
  ],
  [
    'Fixed terms',
    ({ depositInterest }) =>
      depositInterest?.fixedTerms ? fixedTermsText(depositInterest.fixedTerms) : '',
  ],
  ['Overdrafts', ({ overdraft }) => (overdraft ? overdraftText(overdraft) : '')],
  ['On sale from', ({ effectiveFrom }) => (effectiveFrom ? formatDate(effectiveFrom) : '')],
  ['On sale until', ({ effectiveTo }) => (effectiveTo ? formatDate(effectiveTo) : '')],
  [
    'Per customer',
    ({ maxPerCustomer }) => (maxPerCustomer === null ? '' : `at most ${maxPerCustomer}`),
  ],
]

const namesOf = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())]

/** Returns what versions of a product say, term by term, and in which terms they differ. */
export function compareVersions(versions: readonly VersionPartsFragment[]): ComparedTerm[] {
  const parameters = namesOf(versions.map((each) => each.parameters.map(({ name }) => name)))
  const fees = namesOf(versions.map((each) => each.fees.map(({ code }) => code)))
  const rows: readonly Term[] = [
    ...terms,
    ...parameters.map((name): Term => [`Parameter ${name}`, (each) => parameterOf(each, name)]),
    ...fees.map((code): Term => [`Fee ${code}`, (each) => feeOf(each, code)]),
  ]
  return rows
    .map(([name, text]) => {
      const texts = versions.map(text)
      return { name, texts, isDifferent: new Set(texts).size > 1 }
    })
    .filter(({ texts }) => texts.some(Boolean))
}

function parameterOf({ parameters }: VersionPartsFragment, name: string): string {
  const parameter = parameters.find((each) => each.name === name)
  return parameter ? parameterText(parameter) : ''
}

function feeOf({ fees }: VersionPartsFragment, code: string): string {
  const fee = fees.find((each) => each.code === code)
  return fee ? feeText(fee) : ''
}
