import { vaultColumn } from '../../../kernel/environment/vault-columns.ts'

/** Earlier versions encrypted all texts of a session for the session only. */
const formerPlace = 'assist-session/{session_id}'
const ofToolCall = { table: 'assist.tool_call', key: 'tool_call_id', formerPlace }

export const messageContent = vaultColumn({
  table: 'assist.message',
  column: 'content',
  key: 'message_id',
  place: 'assist-message/{message_id}/content',
  formerPlace,
})
export const toolCallArgs = vaultColumn({
  ...ofToolCall,
  column: 'args',
  place: 'assist-tool-call/{tool_call_id}/args',
})
export const toolCallResult = vaultColumn({
  ...ofToolCall,
  column: 'result',
  place: 'assist-tool-call/{tool_call_id}/result',
})
export const sessionMasks = vaultColumn({
  table: 'assist.session',
  column: 'masks',
  key: 'session_id',
  place: 'assist-masks/{session_id}',
})
