import { requireFound } from '../../../kernel/authorization/auth.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { Problem } from '../domain/problems.ts'
import * as queries from '../queries.generated.ts'
import type { ToolName } from '../domain/tool.ts'
import { lendingRuns } from './lending.ts'
import { idOf, type Acting, type Args, type ToolImplementation } from './tool-run.ts'

const maxTextLength = 20_000

const implementations: Partial<Record<ToolName, ToolImplementation>> = {
  async list_accounts(bank, { caller }, { customerId = null }) {
    const { accountArrangements } = await bank.queryGraph(
      queries.AssistAccountsDocument,
      { customerId },
      { caller },
    )
    return { accounts: accountArrangements!.nodes }
  },
  async get_balance(bank, { caller }, { arrangementId }) {
    const request = { arrangementId: arrangementId! }
    const found = await bank.queryGraph(queries.AssistBalanceDocument, request, { caller })
    const account = requireAccount(found.accountArrangement, arrangementId!)
    const [balance] = account.balances!
    return { arrangementId, ...balance }
  },
  async list_entries(bank, { caller }, { arrangementId }) {
    const request = { arrangementId: arrangementId! }
    const found = await bank.queryGraph(queries.AssistEntriesDocument, request, { caller })
    const account = requireAccount(found.accountArrangement, arrangementId!)
    return { arrangementId, entries: account.entries!.nodes }
  },
  async get_loan(bank, { caller }, { loanId }) {
    const { facility } = await bank.queryGraph(
      queries.AssistLoanDocument,
      { loanId: loanId! },
      { caller },
    )
    return { loanId, ...requireFound(facility, 'FACILITY_NOT_FOUND', loanId!) }
  },
  async get_case(bank, { caller }, { caseId }) {
    const found = await bank.queryGraph(queries.AssistCaseDocument, { caseId: caseId! }, { caller })
    return requireFound(found.case, 'CASE_NOT_FOUND', caseId!)
  },
  async read_document(bank, { caller }, { documentId }) {
    const request = { documentId: documentId! }
    const { document } = await bank.queryGraph(queries.AssistDocumentDocument, request, { caller })
    const { title, latest } = requireFound(document, 'DOCUMENT_NOT_FOUND', documentId!)
    return { documentId, title, text: await textOf(latest) }
  },
  ...lendingRuns,
  async preview_drawdown(bank, { caller }, { facilityId, amount }) {
    const request = { facilityId: facilityId!, amount: amount! }
    const found = await bank.queryGraph(queries.AssistDrawdownPreviewDocument, request, { caller })
    return found.drawdownPreview!
  },
  async transfer(bank, { caller, toolCallId }, args) {
    const { debtorArrangementId, creditorArrangementId, amount, currency } = args
    const paymentId = idOf('pay', toolCallId)
    const { createTransfer } = await bank.queryGraph(
      queries.AssistTransferDocument,
      {
        paymentId,
        debtorArrangementId: debtorArrangementId!,
        creditorArrangementId: creditorArrangementId!,
        amount: { amount: amount!, currency: currency! },
      },
      { caller, idempotencyKey: `ai:${toolCallId}` },
    )
    return createTransfer
  },
}

const requireAccount = <Account>(account: Account | null, arrangementId: string) =>
  requireFound(account, 'ARRANGEMENT_NOT_FOUND', arrangementId)

/**
 * Runs a tool by sending its GraphQL operation with the permissions of the session. Throws the
 * problem that the operation returns.
 */
export function runTool(bank: Bank, name: ToolName, acting: Acting, args: Args): Promise<object> {
  const implementation = implementations[name]
  if (!implementation)
    throw new Error(`${name} has no implementation; the turn should have denied it.`)
  return implementation(bank, acting, args)
}

interface Latest {
  mediaType: string
  sizeBytes: number
  download?: { url: string } | null
}

/** Returns the text of a document, truncated if it is long; empty if the content is not text. */
async function textOf({ mediaType, download }: Latest): Promise<string> {
  if (!/^(?:text\/|application\/json)/.test(mediaType) || !download) return ''
  try {
    const response = await fetch(download.url, { signal: AbortSignal.timeout(5000) })
    if (response.ok) return (await response.text()).slice(0, maxTextLength)
  } catch (cause) {
    throw new Problem(
      'DEPENDENCY_UNAVAILABLE',
      { detail: 'The document cannot be read at the moment; try again later.' },
      { cause },
    )
  }
  throw new Problem('DEPENDENCY_UNAVAILABLE', {
    detail: 'The document cannot be read at the moment; try again later.',
  })
}
