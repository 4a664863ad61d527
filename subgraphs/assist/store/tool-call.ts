import { loader, inOrder, type Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import {
  decryptIn,
  encryptIn,
  type VaultColumn,
} from '../../../kernel/environment/vault-columns.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'
import type { ToolCall } from '../model/tool-call.ts'
import { toolCallArgs, toolCallResult } from './vault-columns.ts'

/** The columns that the places of its texts name. */
const placedRow = ({ toolCallId, sessionId }: Pick<ToolCall, 'toolCallId' | 'sessionId'>) => ({
  tool_call_id: toolCallId,
  session_id: sessionId,
})

export function insertToolCalls({ bank }: Context, calls: readonly ToolCall[]): Write {
  const rows = calls.map((call) => ({
    tool_call_id: call.toolCallId,
    session_id: call.sessionId,
    name: call.name,
    args: encryptedArgs(bank, call),
    arguments_hash: call.argumentsHash,
    state: call.state,
    is_tainted: call.isTainted,
    requested_at: call.requestedAt,
    expires_at: call.expiresAt,
    requested_by: call.requestedBy,
    requester_token: call.requesterToken,
    edited_by: call.editedBy,
    decided_by: call.decidedBy,
    decided_at: call.decidedAt,
    reason: call.reason,
    result: encryptedResult(bank, call),
    version: 1,
  }))
  return insert('assist.tool_call', ...rows)
}

export function updateToolCall({ bank }: Context, call: ToolCall): Write {
  return update('assist.tool_call', { tool_call_id: call.toolCallId }, call.version, {
    args: encryptedArgs(bank, call),
    arguments_hash: call.argumentsHash,
    state: call.state,
    edited_by: call.editedBy,
    decided_by: call.decidedBy,
    decided_at: call.decidedAt,
    reason: call.reason,
    result: encryptedResult(bank, call),
  })
}

const encryptedArgs = ({ vault }: Context['bank'], call: ToolCall) =>
  encryptIn(vault, toolCallArgs, JSON.stringify(call.args), placedRow(call))

function encryptedResult({ vault }: Context['bank'], call: ToolCall) {
  if (call.result === null) return null
  return encryptIn(vault, toolCallResult, JSON.stringify(call.result), placedRow(call))
}

export async function findToolCall(context: Context, toolCallId: string) {
  const row = await context.db.assistToolCall.findUnique({ where: { toolCallId } })
  return row && toolCallFromRow(context, row)
}

/** Loads tool calls by ID, without a permission check. */
export const loadToolCall = loader<string, ToolCall>(async (context, ids) => {
  const rows = await context.db.assistToolCall.findMany({
    where: { toolCallId: { in: [...ids] } },
  })
  const calls = rows.map((row) => toolCallFromRow(context, row))
  return inOrder(ids, calls, ({ toolCallId }) => toolCallId)
})

export async function listToolCalls(context: Context, sessionId: string): Promise<ToolCall[]> {
  const rows = await context.db.assistToolCall.findMany({
    where: { sessionId },
    orderBy: [{ requestedAt: 'asc' }, { toolCallId: 'asc' }],
  })
  return rows.map((row) => toolCallFromRow(context, row))
}

/** Returns the tool calls that wait for approval, the longest waiting first. */
export async function listWaiting(
  context: Context,
  after: string[] | null,
  take: number,
): Promise<ToolCall[]> {
  const rows = await context.db.assistToolCall.findMany({
    where: { state: 'awaiting-approval', ...afterTimeAndId('expiresAt', 'toolCallId', after) },
    orderBy: [{ expiresAt: 'asc' }, { toolCallId: 'asc' }],
    take,
  })
  return rows.map((row) => toolCallFromRow(context, row))
}

/** Returns tool calls that were not approved in time. */
export async function findUnapproved(context: Context, now: Date, take: number) {
  const rows = await context.db.assistToolCall.findMany({
    where: { state: 'awaiting-approval', expiresAt: { lte: now } },
    orderBy: { expiresAt: 'asc' },
    take,
  })
  return rows.map((row) => toolCallFromRow(context, row))
}

/**
 * Returns tool calls that were approved at or before `before` and not executed, because the process
 * died.
 */
export async function findApproved(context: Context, before: Date, take: number) {
  const rows = await context.db.assistToolCall.findMany({
    where: { state: 'approved', decidedAt: { lte: before } },
    orderBy: { decidedAt: 'asc' },
    take,
  })
  return rows.map((row) => toolCallFromRow(context, row))
}

type Row = Awaited<ReturnType<Context['db']['assistToolCall']['findFirst']>> & object

function toolCallFromRow({ bank }: Context, row: Row): ToolCall {
  const decryptJson = (column: VaultColumn, encrypted: string) =>
    JSON.parse(decryptIn(bank.vault, column, encrypted, placedRow(row))) as object
  return {
    ...row,
    state: row.state as ToolCall['state'],
    args: decryptJson(toolCallArgs, row.args) as ToolCall['args'],
    requesterToken: row.requesterToken as unknown as ToolCall['requesterToken'],
    result: row.result === null ? null : decryptJson(toolCallResult, row.result),
  }
}
