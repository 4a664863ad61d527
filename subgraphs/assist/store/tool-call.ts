import { loader, inOrder, type Context } from '../../_kernel/context.ts'
import { insert, update, type Write } from '../../_kernel/writes.ts'
import type { ToolCall } from '../domain/tool-call.ts'

const place = (sessionId: string) => `assist-session/${sessionId}`

export function insertToolCalls({ bank }: Context, calls: readonly ToolCall[]): Write {
  const rows = calls.map((call) => ({
    tool_call_id: call.toolCallId,
    session_id: call.sessionId,
    name: call.name,
    args: bank.vault.seal(JSON.stringify(call.args), place(call.sessionId)),
    arguments_hash: call.argumentsHash,
    state: call.state,
    is_tainted: call.isTainted,
    requested_at: call.requestedAt,
    expires_at: call.expiresAt,
    asked_by: call.askedBy,
    edited_by: call.editedBy,
    decided_by: call.decidedBy,
    decided_at: call.decidedAt,
    reason: call.reason,
    result: sealedResult(bank, call),
    version: 1,
  }))
  return insert('assist.tool_call', ...rows)
}

export function updateToolCall({ bank }: Context, call: ToolCall): Write {
  return update('assist.tool_call', { tool_call_id: call.toolCallId }, call.version, {
    args: bank.vault.seal(JSON.stringify(call.args), place(call.sessionId)),
    arguments_hash: call.argumentsHash,
    state: call.state,
    edited_by: call.editedBy,
    decided_by: call.decidedBy,
    decided_at: call.decidedAt,
    reason: call.reason,
    result: sealedResult(bank, call),
  })
}

function sealedResult({ vault }: Context['bank'], { result, sessionId }: ToolCall) {
  return result === null ? null : vault.seal(JSON.stringify(result), place(sessionId))
}

export async function findToolCall(context: Context, toolCallId: string) {
  const row = await context.db.assistToolCall.findUnique({ where: { toolCallId } })
  return row && opened(context, row)
}

/** Loads tool calls by id, without a permission check. */
export const loadToolCall = loader<string, ToolCall>(async (context, ids) => {
  const rows = await context.db.assistToolCall.findMany({
    where: { toolCallId: { in: [...ids] } },
  })
  const calls = rows.map((row) => opened(context, row))
  return inOrder(ids, calls, ({ toolCallId }) => toolCallId)
})

export async function listToolCalls(context: Context, sessionId: string): Promise<ToolCall[]> {
  const rows = await context.db.assistToolCall.findMany({
    where: { sessionId },
    orderBy: [{ requestedAt: 'asc' }, { toolCallId: 'asc' }],
  })
  return rows.map((row) => opened(context, row))
}

/** Tool calls whose approval request has expired. */
export async function findUnapproved(context: Context, now: Date, take: number) {
  const rows = await context.db.assistToolCall.findMany({
    where: { state: 'awaiting-approval', expiresAt: { lte: now } },
    orderBy: { expiresAt: 'asc' },
    take,
  })
  return rows.map((row) => opened(context, row))
}

/** Approved tool calls that were not executed because a process died. */
export async function findApproved(context: Context, before: Date, take: number) {
  const rows = await context.db.assistToolCall.findMany({
    where: { state: 'approved', decidedAt: { lte: before } },
    orderBy: { decidedAt: 'asc' },
    take,
  })
  return rows.map((row) => opened(context, row))
}

type Row = Awaited<ReturnType<Context['db']['assistToolCall']['findFirst']>> & object

function opened({ bank }: Context, row: Row): ToolCall {
  const open = (sealed: string) =>
    JSON.parse(bank.vault.open(sealed, place(row.sessionId))) as unknown
  return {
    ...row,
    state: row.state as ToolCall['state'],
    args: open(row.args) as ToolCall['args'],
    result: row.result === null ? null : open(row.result),
  }
}
