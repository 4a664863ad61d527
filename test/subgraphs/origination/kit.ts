import type { ApplicationStatus } from '../../../subgraphs/origination/model/enumerations.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { bankContext, type Worker } from '../../../kernel/work/worker.ts'

import { origination } from '../../../subgraphs/origination/index.ts'
export { decideApplications as judgeApplications } from '../../../subgraphs/origination/workers/policy.ts'
export { expireOffers } from '../../../subgraphs/origination/workers/review.ts'
import {
  aCaller,
  aSubgraph,
  type ExecuteOptions,
  type RunningSubgraph,
} from '../../kit/subgraph.ts'

export let bank: RunningSubgraph
export const start = '2026-03-02T09:00:00.000Z'
export const day = 86_400_000
export const ada = aCaller({ partyId: 'pty_ada' })
export const grace = aCaller({ partyId: 'pty_grace' })
/** Decides on applications: a different person from the one who submits them. */
export const officer: Caller = { ...aCaller(), subject: 'officer_1' }

const customer = (name: string, more: object = {}) => ({
  customerId: `cus_${name}`,
  partyId: `pty_${name}`,
  status: 'active',
  kycState: 'passed',
  kycExpiresOn: '2999-12-31',
  ...more,
})

const bound = (name: string, minimum: string, maximum: string) => ({
  name,
  type: 'decimal',
  minimum,
  maximum,
  default: null,
})
export const setting = (name: string, value: string) => ({
  name,
  type: 'text',
  minimum: null,
  maximum: null,
  default: value,
})

export const aProduct = (
  productId: string,
  settings: Record<string, string> = {},
  more: object = {},
) => ({
  productId,
  versions: [
    {
      version: '2026.1',
      productClass: 'consumer-loan',
      status: 'active',
      currencies: ['EUR'],
      effectiveFrom: null,
      effectiveTo: null,
      parameters: [
        bound('amount', '1000', '50000'),
        bound('termMonths', '6', '84'),
        ...Object.entries(settings).map(([name, value]) => setting(name, value)),
      ],
      interest: { basePct: '5.90', marginPct: '0' },
      ...more,
    },
  ],
})

const aQuote = (pricingQuoteId: string, more: object = {}) => ({
  pricingQuoteId,
  productId: 'prd_loan',
  productVersion: '2026.1',
  customerId: null,
  currency: 'EUR',
  amountMinor: '1200000',
  termMonths: 12,
  ratePct: '4.90',
  expiresAt: '2026-12-31T00:00:00.000Z',
  ...more,
})

const facts: Record<string, object> = {
  'customer/cus_ada': customer('ada'),
  'customer/cus_grace': customer('grace'),
  'customer/cus_gone': customer('gone', { status: 'suspended' }),
  'customer/cus_unknown': customer('unknown', { kycState: 'in-progress' }),
  'product/prd_loan': aProduct('prd_loan', { decisionMode: 'manual' }),
  'product/prd_automated': aProduct('prd_automated', { decisionMode: 'automated' }),
  'product/prd_hybrid': aProduct('prd_hybrid'),
  'product/prd_signed': aProduct('prd_signed', {
    decisionMode: 'manual',
    signatureRequired: 'true',
    bureauConsent: 'true',
    openApplications: '1',
    decisionAuthority: '20000',
  }),
  'product/prd_old': aProduct('prd_old', {}, { status: 'suspended' }),
  'product/prd_current': aProduct('prd_current', {}, { productClass: 'current-account' }),
  'product/prd_limit': aProduct(
    'prd_limit',
    { decisionMode: 'manual' },
    { productClass: 'revolving-credit' },
  ),
  'quote/quo_1': aQuote('quo_1'),
  'quote/quo_grace': aQuote('quo_grace', { customerId: 'cus_grace' }),
  'quote/quo_old': aQuote('quo_old', { expiresAt: '2026-03-02T08:59:59.999Z' }),
  'quote/quo_soon': aQuote('quo_soon', { expiresAt: '2026-03-05T09:00:00.000Z' }),
  'arrangement/arr_ada': { partyId: 'pty_ada' },
}

/** The subgraph on its own database, with known customers, products and quotes. */
export async function openBank(): Promise<void> {
  bank = await aSubgraph(origination, start)
  for (const [subject, data] of Object.entries(facts)) await publish(subject, data)
}

/** Publishes a fact as another area would. */
export async function publish(subject: string, data: object): Promise<void> {
  await bank.rows(
    `insert into kernel.fact values ($1, 1, $2)
     on conflict (subject) do update set data = excluded.data`,
    [subject, data],
  )
}

let serial = 0
export const unique = (prefix: string) => `${prefix}_${++serial}`

/** Runs a mutation with one input; returns the response, rejected or not. */
export const sending = (
  name: string,
  input: object,
  selection: string,
  options: ExecuteOptions = {},
) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`
  const document = `mutation ($input: ${type}) { act: ${name}(input: $input) { ${selection} } }`
  return bank.execute(document, { input }, options)
}

/** Runs a mutation of one application; returns the response, rejected or not. */
export const tryMutation = (field: string, id: string, options: ExecuteOptions = {}) =>
  bank.execute(`mutation ($id: ID!) { act: ${field} }`, { id }, options)

export const fields = `applicationId quoteId customerId status decisionMode createdAt productId
  productVersion requestedAmount { amount currency } termMonths purpose employedMonths
  monthlyIncome { amount } monthlyObligations { amount } settlementArrangementId channel
  declarations { code accepted } documents checks { code status } submittedAt decisionDueBy
  informationRequested approvedTerms { amount { amount currency } termMonths ratePct productId quoteId }
  counterOffer { amount { amount } termMonths } conditions { code status at } approvedAt termsHash
  offerExpiresAt acceptances { acceptedAt acceptanceChannel signatureReference termsHash }
  coolingOffEndsOn facilityId loanId agreementId closureReason bookedAt case { caseId }
  recommendation { outcome policyVersion score { model value cutoff } reasons { code text } rules { rule result } }
  decisions { decisionId number outcome decisionMode applicationStatus decidedBy comment reasons { code text } }`
export const decisionFields = `decisionId applicationId number outcome decisionMode applicationStatus
  reasons { code text } conditions { code description dueBy status }
  approvedTerms { amount { amount currency } termMonths ratePct productId quoteId }
  score { model version value cutoff } policyVersion decidedBy decidedAt expiresAt overrideOf comment
  adverseActionNoticeDueBy facilityId loanId`

const wanted = () => ({
  customerId: 'cus_ada',
  productId: 'prd_loan',
  requestedAmount: { amount: '12000.00', currency: 'EUR' },
  termMonths: 12,
})

export const creating = (more: object = {}, options: ExecuteOptions = {}) =>
  sending('createLoanApplication', { ...wanted(), ...more }, fields, options)
export const submitting = (
  applicationId: string,
  more: object = {},
  options: ExecuteOptions = {},
) =>
  sending(
    'submitCreditApplication',
    { applicationId, ...more },
    'applicationId status submittedAt decisionMode decisionDueBy checks { code status }',
    options,
  )
export const deciding = (
  applicationId: string,
  more: object,
  options: ExecuteOptions = { caller: officer },
) => sending('recordCreditDecision', { applicationId, ...more }, decisionFields, options)
export const accepting = (applicationId: string, more: object = {}, options: ExecuteOptions = {}) =>
  sending(
    'acceptLoanTerms',
    { applicationId, acceptedAt: bank.bank.now().toISOString(), acceptanceChannel: 'web', ...more },
    fields,
    options,
  )

export const read = async (id: string, options: ExecuteOptions = {}) =>
  bank.execute(
    `query ($id: ID!) { loanApplication(applicationId: $id) { ${fields} } }`,
    { id },
    options,
  )
export const statusOf = async (id: string): Promise<string> =>
  (await read(id)).data.loanApplication.status.toLowerCase().replaceAll('_', '-')

/** The result of the mutation; throws the errors of a rejected one. */
export function good<Answer extends { errors: readonly unknown[]; data: any }>(answer: Answer) {
  if (answer.errors.length > 0) throw new Error(JSON.stringify(answer.errors))
  return answer.data.act
}

export const declined = { outcome: 'declined', reasons: [{ code: 'income-insufficient' }] }
const counterOffer = {
  outcome: 'counter-offer',
  reasons: [{ code: 'income-insufficient' }],
  approvedTerms: { amount: { amount: '8000.00', currency: 'EUR' } },
}

/** The commands that bring an application to a state. */
const paths: Record<ApplicationStatus, readonly ((id: string) => Promise<unknown>)[]> = {
  draft: [],
  submitted: [submits],
  'in-review': [submits, (id) => deciding(id, { outcome: 'referred' }).then(good)],
  approved: [submits, approves],
  declined: [submits, (id) => deciding(id, declined).then(good)],
  accepted: [submits, approves, (id) => accepting(id).then(good)],
  // The loan is booked by another area, which does not run here.
  booked: [submits, approves, (id) => accepting(id).then(good), books],
}

function submits(id: string) {
  return submitting(id).then(good)
}
function approves(id: string) {
  return deciding(id, { outcome: 'approved' }).then(good)
}
function books(id: string) {
  return bank.rows(
    `update origination.loan_application set status = 'booked', version = version + 1
     where application_id = $1`,
    [id],
  )
}

/** One of Ada's applications, in a state. */
export async function applicationIn(status: ApplicationStatus, more: object = {}): Promise<string> {
  const { applicationId } = good(await creating(more))
  for (const step of paths[status]) await step(applicationId)
  return applicationId
}

/** An application with an open counter-offer. */
export async function withCounterOffer(): Promise<string> {
  const id = await applicationIn('submitted')
  good(await deciding(id, counterOffer))
  return id
}

export const eventTypesOf = async (id: string) =>
  (await bank.events())
    .filter(({ subject }) => subject === `loan-application/${id}`)
    .map(({ type }) => type.replace('lending.', ''))

/** Runs a worker until it has nothing left to do; returns how many items it processed. */
export async function runs(worker: Worker): Promise<number> {
  for (let done = 0; ;) {
    const more = await worker.run(bankContext(bank.bank))
    if (more === 0) return done
    done += more
  }
}

export const row = async (id: string) =>
  (
    await bank.rows('select * from origination.loan_application where application_id = $1', [id])
  )[0]!

export const decisionsOf = (id: string) =>
  bank.rows('select * from origination.credit_decision where application_id = $1 order by number', [
    id,
  ])
