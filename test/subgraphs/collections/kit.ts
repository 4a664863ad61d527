import { parse, print } from 'graphql'
import { problemOfFormatted } from '../../../gateway/errors.ts'
import { createOperation } from '../../../gateway/operation.ts'
import type { Bank, OriginalRequest } from '../../../kernel/environment/bank.ts'
import { createContext } from '../../../kernel/environment/context.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { casework } from '../../../subgraphs/casework/index.ts'
import { collections } from '../../../subgraphs/collections/index.ts'
import { interest } from '../../../subgraphs/interest/index.ts'
import { lending } from '../../../subgraphs/lending/index.ts'
import { notifications } from '../../../subgraphs/notifications/index.ts'
import { theGraph } from '../../kit/platform.ts'
import { aCaller, employee } from '../../kit/subgraph.ts'
import { sequenced, type InterestBank } from '../interest/kit.ts'
import { aProvisioningBank, type ProvisioningBank } from '../provisioning/kit.ts'

export const officer = aCaller({ subject: 'officer' })
export const manager = aCaller({ subject: 'manager' })
export type CollectionsBank = ProvisioningBank

const workers: readonly Worker[] = [
  ...collections.workers,
  ...lending.workers,
  ...casework.workers,
  ...notifications.workers,
  ...interest.workers,
]

/** Runs a worker until it has nothing left to do. */
export async function drain({ bank }: Pick<CollectionsBank, 'bank'>, name: string): Promise<void> {
  const worker = workers.find((one) => one.name === name)!
  while ((await worker.run(bankContext(bank))) > 0);
}

/** Has queries of a bank executed by the whole graph, with their idempotency keys. */
export async function connect(bank: Bank): Promise<void> {
  const graph = await theGraph()
  bank.queryGraph = async (document, variables, request?: OriginalRequest) => {
    const context = createContext(bank, request?.caller ?? bankContext(bank).caller, {
      authorization: undefined,
      requestId: 'test-request',
      traceparent: undefined,
      idempotencyKey: request?.idempotencyKey,
      deadlineMs: Number.MAX_SAFE_INTEGER,
    })
    const operation = createOperation(parse(print(document)), print(document))
    const { data, errors } = await graph.run(operation, variables as object, context)
    if (errors) throw problemOfFormatted(errors[0]!)
    return data as any
  }
}

/** A bank with a customer, the whole graph, a template and workers that a test runs itself. */
export async function aCollectionsBank(): Promise<CollectionsBank> {
  const bank = await aProvisioningBank()
  await connect(bank.bank)
  await aTemplate(bank, 'arrears_letter')
  return bank
}

/** An active template for secure messages with the variables of letters. */
export async function aTemplate(bank: CollectionsBank, templateCode: string, language = 'en') {
  const templateId = `${templateCode}-${language}`
  const variable = (name: string, type: string) => ({ name, type, required: true })
  const input = {
    templateId,
    templateCode,
    channel: 'SECURE_MESSAGE',
    category: 'REGULATORY',
    language,
    subject: 'Your payment is late',
    body:
      'Dear {{partyName}}, {{arrears}} {{currency}} for {{contractId}} is past due since ' +
      '{{pastDueSince}}, for {{daysPastDue}} days.',
    variables: [
      variable('arrears', 'STRING'),
      variable('currency', 'STRING'),
      variable('contractId', 'STRING'),
      variable('pastDueSince', 'STRING'),
      variable('daysPastDue', 'NUMBER'),
    ],
    status: 'in-review',
  }
  await bank.act(
    'mutation ($input: CreateNotificationTemplateInput!) { createNotificationTemplate(input: $input) { status } }',
    { input },
    officer,
  )
  for (const name of ['approve', 'activate']) {
    await bank.act(
      `mutation { ${name}NotificationTemplate(templateId: "${templateId}") { status } }`,
      {},
      employee,
    )
  }
}

const letter = (code: string, fromDaysPastDue: number) => ({
  code,
  fromDaysPastDue,
  action: 'SEND_LETTER',
  templateCode: 'arrears_letter',
  channel: 'SECURE_MESSAGE',
})

export const strategySteps = [
  letter('reminder', 5),
  letter('second-reminder', 15),
  { code: 'case', fromDaysPastDue: 30, action: 'OPEN_CASE', priority: 'HIGH' },
]

export const propose = (bank: CollectionsBank, input: object = {}) =>
  bank.act(
    `mutation ($input: ProposeCollectionsStrategyInput!) {
      strategy: proposeCollectionsStrategy(input: $input) { collectionsStrategyId status } }`,
    { input: { effectiveFrom: '2026-01-01', reason: 'First', steps: strategySteps, ...input } },
    officer,
  )

export const approve = (bank: CollectionsBank, id: string, caller = manager) =>
  bank.act(
    `mutation ($id: ID!) { strategy: approveCollectionsStrategy(collectionsStrategyId: $id) {
      status proposedBy decidedBy } }`,
    { id },
    caller,
  )

/** Proposes and approves a strategy. */
export async function aStrategy(bank: CollectionsBank, input: object = {}): Promise<string> {
  const { strategy } = await propose(bank, input)
  await approve(bank, strategy.collectionsStrategyId)
  return strategy.collectionsStrategyId
}

/** Runs the workers of the night: the end of day, the exposures, and collections. */
export async function night(bank: CollectionsBank, date: string): Promise<void> {
  await dayClosed(bank, date)
  await collect(bank)
}

/** Moves the clock to a morning, and runs the end of day of all days before it. */
export async function dayClosed(bank: CollectionsBank, date: string): Promise<void> {
  bank.clock.set(`${date}T06:00:00Z`)
  await drain(bank, 'lending.end-of-day')
  await sequenced(bank as unknown as InterestBank)
  for (const name of ['follow-interest', 'follow-overdrafts', 'accrue-overdraft-interest']) {
    await drain(bank, `accounts.${name}`)
  }
  await sequenced(bank as unknown as InterestBank)
  await drain(bank, 'collections.close-episodes')
}

/** Runs the workers of collections and those that carry out their letters. */
export async function collect(bank: CollectionsBank): Promise<void> {
  await drain(bank, 'collections.decide-steps')
  await drain(bank, 'collections.take-steps')
  await drain(bank, 'notifications.deliver')
  await sequenced(bank as unknown as InterestBank)
  await drain(bank, 'collections.store-letters')
  await drain(bank, 'collections.close-cases')
}

const episodeFields = `collectionsEpisodeId status openedOn evaluatedOn daysPastDue arrears { amount }
  pastDueSince pauseReason pausedUntil nextStep { code on } closedOn closeReason
  facility { facilityId } arrangement { arrangementId } party { partyId } case { caseId caseType status
  priority subjects } steps { code action state decidedOn daysPastDue arrears { amount } pastDueSince
  notification { notificationId status renderedBody } documentState document { documentId title
  retentionClass isShared versions { mediaType sizeBytes } } case { caseId } failureCode }`

/** The episodes of a facility or an account, oldest first. */
export async function episodesOf(bank: CollectionsBank, filter: object): Promise<any[]> {
  const { collectionsEpisodes } = await bank.act(
    `query ($facilityId: ID, $arrangementId: ID, $partyId: ID) { collectionsEpisodes(
      facilityId: $facilityId, arrangementId: $arrangementId, partyId: $partyId) {
      nodes { ${episodeFields} } } }`,
    filter,
  )
  return collectionsEpisodes.nodes
}

/** The codes of the steps that were taken in an episode. */
export const codesOf = (episode: any): string[] =>
  episode.steps.filter(({ state }: any) => state === 'TAKEN').map(({ code }: any) => code)

/** Pays an amount toward a facility, which goes to the oldest installments. */
export const payBack = (bank: CollectionsBank, facilityId: string, amount: string) =>
  bank.act(
    `mutation ($input: RecordRepaymentInput!) { recordRepayment(input: $input) { repaymentId } }`,
    { input: { facilityId, amount } },
  )
