import { aCaller, employee } from '../../kit/subgraph.ts'
import { connect, drain, officer, type CollectionsBank } from '../collections/kit.ts'
import { aCustomer } from '../fees/fee-kit.ts'
import { sequenced, type InterestBank } from '../interest/kit.ts'
import { aLentLoan, aProvisioningBank } from '../provisioning/kit.ts'

/** The loans are paid out on this day, and their rates are reset a month later. */
const opened = '2026-03-10'
export const resetOn = '2026-04-10'

let serial = 0

/** A bank with the whole graph, the customers Ada and Grace, and a template in English. */
export async function aBankWithLetters(): Promise<CollectionsBank> {
  const bank = await aProvisioningBank()
  await connect(bank.bank)
  await aCustomer(bank, 'grace')
  await aTemplate(bank, 'en', 'Your new rate')
  return bank
}

const names =
  `contractId currency ratePct effectiveFrom previousRatePct referenceRate referenceRatePct
  fixedOn payment paymentFrom previousPayment lastPayment lastPaymentOn previousLastPaymentOn payments
  previousPayments frequency additionalInterest`
    .split(/\s+/)
    .map((name) => ({
      name,
      type: name === 'payments' || name === 'previousPayments' ? 'NUMBER' : 'STRING',
    }))

/** An active template that says everything that a letter knows. */
export async function aTemplate(bank: CollectionsBank, language: string, subject: string) {
  const input = {
    templateId: `rate-reset-${language}`,
    templateCode: 'tpl_rate_reset',
    channel: 'SECURE_MESSAGE',
    category: 'REGULATORY',
    language,
    subject,
    body: names.map(({ name }) => `${name}={{${name}}}`).join(' '),
    variables: names.map((variable) => ({ ...variable, required: true })),
    status: 'in-review',
  }
  const create =
    'mutation ($input: CreateNotificationTemplateInput!) { createNotificationTemplate(input: $input) { status } }'
  await bank.act(create, { input }, officer)
  for (const name of ['approve', 'activate']) {
    const change = `${name}NotificationTemplate(templateId: "${input.templateId}")`
    await bank.act(`mutation { ${change} { status } }`, {}, employee)
  }
}

/** Records fixings of a reference rate, by day. */
export const record = (
  bank: CollectionsBank,
  referenceRateId: string,
  fixings: Record<string, string>,
) =>
  bank.act(
    `mutation ($input: RecordReferenceRateFixingsInput!) {
      recordReferenceRateFixings(input: $input) { referenceRateId } }`,
    {
      input: {
        referenceRateId,
        fixings: Object.entries(fixings).map(([fixedOn, ratePct]) => ({ fixedOn, ratePct })),
      },
    },
  )

/** The ID of the reference rate of the last loan. */
export const lastRateId = () => `RATE-${serial}`

/** A loan of 1,200.00 at 6 % that is reset monthly, with the fixing of the day. */
export async function aFloatingLoan(
  bank: CollectionsBank,
  fixings: Record<string, string>,
  validDays: number | null = null,
) {
  const referenceRateId = `RATE-${++serial}`
  await bank.act(
    'mutation ($input: CreateReferenceRateInput!) { createReferenceRate(input: $input) { name } }',
    { input: { referenceRateId, name: `Rate ${serial}`, validDays } },
  )
  await record(bank, referenceRateId, { '2026-03-01': '2', ...fixings })
  const productId = `prd_floating_${serial}`
  const product = {
    productId,
    name: 'Floating',
    productClass: 'consumer-loan',
    status: 'active',
    version: '2026.1',
    currencies: ['EUR'],
    interest: {
      basePct: '2',
      marginPct: '4',
      referenceRate: referenceRateId,
      reset: { frequency: 'MONTHLY', lookbackDays: 0, minimumRatePct: '0' },
    },
  }
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    { input: product },
  )
  bank.clock.set(`${opened}T09:00:00Z`)
  return aLentLoan(bank, { productId })
}

/** Moves the clock to a morning, and closes the days before it for one loan. */
export async function closed(bank: CollectionsBank, facilityId: string, date: string) {
  bank.clock.set(`${date}T06:00:00Z`)
  await bank.act(`mutation { closeFacilityDays(facilityId: "${facilityId}") { facilityId } }`)
}

/** Runs the workers that send and store letters. */
export async function post(bank: CollectionsBank) {
  await drain(bank, 'lending.send-rate-reset-letters')
  await drain(bank, 'notifications.deliver')
  await sequenced(bank as unknown as InterestBank)
  await drain(bank, 'lending.store-rate-reset-letters')
}

const letterFields = `rateResetLetterId resetOn state failureCode party { partyId }
  notification { status renderedSubject renderedBody }
  document { documentId title documentType retentionClass isShared versions { mediaType } }`
export async function resetsOf(
  bank: CollectionsBank,
  facilityId: string,
  caller = aCaller(),
): Promise<any[]> {
  const { facility } = await bank.act(
    `query ($id: ID!) { facility(facilityId: $id) { rateResets { resetOn ratePct
      letters { ${letterFields} } } scheduleVersions { version figures { installment { amount }
      totalInterest { amount } } } schedule { dueDate payment } } }`,
    { id: facilityId },
    caller,
  )
  return facility.rateResets.map((reset: object) => ({ ...reset, facility }))
}
export const lettersOf = async (bank: CollectionsBank, facilityId: string, caller = aCaller()) =>
  (await resetsOf(bank, facilityId, caller)).flatMap(({ letters }) => letters)
export const retry = (bank: CollectionsBank, id: string, caller = aCaller()) =>
  bank.act(
    `mutation ($id: ID!) { it: retryRateResetLetter(rateResetLetterId: $id) { state failureCode } }`,
    { id },
    caller,
  )
/** The messages to Ada that name a facility. */
export async function messagesAbout(bank: CollectionsBank, facilityId: string): Promise<any[]> {
  const { party } = await bank.act(
    '{ party(partyId: "pty_ada") { notifications(first: 100) { nodes { renderedBody } } } }',
  )
  return party.notifications.nodes.filter(({ renderedBody }: any) =>
    renderedBody?.includes(`contractId=${facilityId} `),
  )
}

/** Answers a query of the workers in another way. Returns the function that ends this. */
export function intercept(
  bank: CollectionsBank,
  document: unknown,
  answer: (query: () => Promise<any>) => Promise<any>,
) {
  const { queryGraph } = bank.bank
  bank.bank.queryGraph = (requested, variables, request) =>
    Object.is(requested, document)
      ? answer(() => queryGraph(requested, variables, request))
      : queryGraph(requested, variables, request)
  return () => {
    bank.bank.queryGraph = queryGraph
  }
}
