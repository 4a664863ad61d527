import { requireFound } from '../../_kernel/auth.ts'
import type { Bank } from '../../_kernel/bank.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import * as asks from '../asks.generated.ts'
import type { ToolName } from '../domain/tool.ts'
import { lendingRuns } from './lending.ts'
import { idOf, type Acting, type Args, type Run } from './tool-run.ts'

const mostTextBytes = 20_000

const runs: Partial<Record<ToolName, Run>> = {
  async list_accounts(bank, { caller }, { customerId = null }) {
    const { accountArrangements } = await bank.ask(
      asks.AssistAccountsDocument,
      { customerId },
      { caller },
    )
    return { accounts: accountArrangements!.nodes }
  },
  async get_balance(bank, { caller }, { arrangementId }) {
    const asked = { arrangementId: arrangementId! }
    const found = await bank.ask(asks.AssistBalanceDocument, asked, { caller })
    const account = requireAccount(found.accountArrangement, arrangementId!)
    const [balance] = account.balances!
    return { arrangementId, ...balance }
  },
  async list_entries(bank, { caller }, { arrangementId }) {
    const asked = { arrangementId: arrangementId! }
    const found = await bank.ask(asks.AssistEntriesDocument, asked, { caller })
    const account = requireAccount(found.accountArrangement, arrangementId!)
    return { arrangementId, entries: account.entries!.nodes }
  },
  async get_loan(bank, { caller }, { loanId }) {
    const { facility } = await bank.ask(asks.AssistLoanDocument, { loanId: loanId! }, { caller })
    return { loanId, ...requireFound(facility, 'FACILITY_NOT_FOUND', loanId!) }
  },
  async get_case(bank, { caller }, { caseId }) {
    const found = await bank.ask(asks.AssistCaseDocument, { caseId: caseId! }, { caller })
    return requireFound(found.case, 'CASE_NOT_FOUND', caseId!)
  },
  async read_document(bank, { caller }, { documentId }) {
    const asked = { documentId: documentId! }
    const { document } = await bank.ask(asks.AssistDocumentDocument, asked, { caller })
    const { title, latest } = requireFound(document, 'DOCUMENT_NOT_FOUND', documentId!)
    return { documentId, title, text: await textOf(latest) }
  },
  ...lendingRuns,
  async preview_drawdown(bank, { caller }, { facilityId, amount }) {
    const asked = { facilityId: facilityId!, amount: amount! }
    const found = await bank.ask(asks.AssistDrawdownPreviewDocument, asked, { caller })
    return found.drawdownPreview!
  },
  async transfer(bank, { caller, toolCallId }, args) {
    const { debtorArrangementId, creditorArrangementId, amount, currency } = args
    const paymentId = idOf('pay', toolCallId)
    const { createTransfer } = await bank.ask(
      asks.AssistTransferDocument,
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
 * Runs a tool: an operation of the graph with the permissions of the session.
 * Throws the problem that the graph returns.
 */
export function runTool(bank: Bank, name: ToolName, acting: Acting, args: Args): Promise<object> {
  const run = runs[name]
  if (!run) throw new Error(`${name} is not for assistants; the turn should have denied it.`)
  return run(bank, acting, args)
}

interface Latest {
  mediaType: string
  sizeBytes: number
  download?: { url: string } | null
}

/** Reads the text of a document. Only text documents are supported; long ones are truncated. */
async function textOf({ mediaType, download }: Latest): Promise<string> {
  if (!/^(?:text\/|application\/json)/.test(mediaType) || !download) return ''
  try {
    const answer = await fetch(download.url, { signal: AbortSignal.timeout(5000) })
    if (answer.ok) return (await answer.text()).slice(0, mostTextBytes)
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
