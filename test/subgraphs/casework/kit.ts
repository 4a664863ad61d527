import type { CaseStatus } from '../../../subgraphs/casework/model/enumerations.ts'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bankContext, type Worker } from '../../../kernel/work/worker.ts'
import { casework } from '../../../subgraphs/casework/index.ts'
export {
  deleteDiscarded,
  eraseDocuments,
  watchDeadlines,
} from '../../../subgraphs/casework/workers/clock.ts'
export { routeCases } from '../../../subgraphs/casework/workers/routing.ts'
import type { CaseAction } from '../../../subgraphs/casework/model/case.ts'
import {
  aCaller,
  aSubgraph,
  type ExecuteOptions,
  type RunningSubgraph,
} from '../../kit/subgraph.ts'

export let bank: RunningSubgraph
export const start = '2026-03-02T09:00:00.000Z'
export const ada = aCaller({ partyId: 'pty_ada' })
export const grace = aCaller({ partyId: 'pty_grace' })
export const day = 86_400_000

/**
 * Starts the subgraph on a database of its own with two parties, an agent and a routing profile.
 */
export async function openBank(): Promise<void> {
  bank = await aSubgraph(casework, start)
  for (const subject of [
    'party/pty_ada',
    'party/pty_grace',
    'agent/agt_mary',
    'routing-profile/rtp_retail',
  ]) {
    await bank.rows('insert into kernel.fact values ($1, 1, $2)', [subject, {}])
  }
}

let serial = 0
export const unique = (prefix: string) => `${prefix}_${++serial}`

/**
 * Runs one mutation and returns the answer with its errors. `$id` is declared when the variables
 * have it.
 */
export const tryMutation = (
  field: string,
  variables: object = {},
  options: ExecuteOptions = {},
) => {
  const head = 'id' in variables ? '($id: ID!)' : ''
  return bank.execute(`mutation ${head} { act: ${field} }`, { ...variables }, options)
}

/** Runs one mutation and returns its result; throws its errors. */
export async function mutate(field: string, variables: object = {}, options: ExecuteOptions = {}) {
  const answer = await tryMutation(field, variables, options)
  if (answer.errors.length > 0) throw new Error(JSON.stringify(answer.errors))
  return answer.data.act
}

export const caseFields = `caseId caseType title description partyId subjects status priority outcome
  assigneeId queueId openedAt resolvedAt endedAt clock { isRunning dueAt remainingSeconds breachedAt }
  timeline { nodes { number kind text isShared by at } }`

export const opening = (more = '', options: ExecuteOptions = {}) => {
  const caseType = more.includes('caseType') ? '' : 'caseType: COMPLAINT'
  return tryMutation(
    `openCase(input: { ${caseType} title: "A complaint" ${more} }) { ${caseFields} }`,
    {},
    options,
  )
}

export const mutationOf: Record<CaseAction, string> = {
  startCase: 'startCase(caseId: $id)',
  waitForCustomer: 'waitForCustomer(caseId: $id, question: "Which day?")',
  resumeCase: 'resumeCase(caseId: $id)',
  resolveCase: 'resolveCase(caseId: $id, outcome: "Refunded.")',
  reopenCase: 'reopenCase(caseId: $id, reason: "Not yet.")',
  closeCase: 'closeCase(caseId: $id)',
  withdrawCase: 'withdrawCase(caseId: $id, reason: "Never mind.")',
}
export const paths: Record<CaseStatus, CaseAction[]> = {
  open: [],
  'in-progress': ['startCase'],
  'waiting-for-customer': ['startCase', 'waitForCustomer'],
  resolved: ['startCase', 'resolveCase'],
  closed: ['startCase', 'resolveCase', 'closeCase'],
  withdrawn: ['withdrawCase'],
}

export const does = (name: CaseAction, id: string, options: ExecuteOptions = {}) =>
  tryMutation(`${mutationOf[name]} { ${caseFields} }`, { id }, options)

/** Opens a complaint of Ada's and brings it into a state. */
export async function caseIn(status: CaseStatus, more = ''): Promise<string> {
  const { caseId } = (await opening(`partyId: "pty_ada" ${more}`)).data.act
  for (const name of paths[status]) {
    const { errors } = await does(name, caseId)
    if (errors.length > 0) throw new Error(JSON.stringify(errors))
  }
  return caseId
}

export const readCase = async (id: string, options: ExecuteOptions = {}) =>
  bank.execute(`query ($id: ID!) { case(caseId: $id) { ${caseFields} } }`, { id }, options)

export const eventsOf = async (subject: string) =>
  (await bank.events()).filter((event) => event.subject === subject).map(({ type }) => type)

/** Runs a worker until it has nothing more to do; returns how many items it processed. */
export async function runs(worker: Worker): Promise<number> {
  for (let done = 0; ;) {
    const more = await worker.run(bankContext(bank.bank))
    if (more === 0) return done
    done += more
  }
}

export const documentFields = `documentId title documentType partyId caseId isShared retentionClass
  retentionStartsAt eraseAt status erasedAt legalHold { reason by at }
  latest { number sha256 } versions { number fileName mediaType sizeBytes sha256 download { url expiresAt } }`

export const helloContent = Buffer.from('Hello').toString('base64')

export const attaching = (more: string, options: ExecuteOptions = {}) => {
  const source = more.includes('uploadId')
    ? ''
    : `content: "${helloContent}", fileName: "hello.txt", mediaType: "Text/Plain"`
  return tryMutation(
    `attachDocument(input: { title: "A letter", documentType: "letter", ${source} ${more} }) { ${documentFields} }`,
    {},
    options,
  )
}

export const sha256 = createHash('sha256').update('Hello').digest('hex')
export const folder = () => join(bank.bank.config.dataDir, 'documents', 'live')
export const files = () =>
  readdir(folder()).then(
    (names) => names.length,
    () => 0,
  )
export const contentId = async (documentId: string, number = 1): Promise<string> => {
  const [row] = await bank.rows('select versions from casework.document where document_id = $1', [
    documentId,
  ])
  return row!['versions'][number - 1].contentId
}
export const readDocument = (id: string, options = {}) =>
  bank.execute(
    `query ($id: ID!) { document(documentId: $id) { ${documentFields} } }`,
    { id },
    options,
  )
export const upload = async (options = {}) =>
  (
    await tryMutation(
      'requestDocumentUpload(input: { fileName: "scan.pdf", mediaType: "application/pdf" }) { uploadId url expiresAt maxBytes }',
      {},
      options,
    )
  ).data.act
