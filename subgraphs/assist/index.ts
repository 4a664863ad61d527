import 'reflect-metadata'
import { maySee } from '../../kernel/authorization/auth.ts'
import { referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import { ownersOf } from './domain/session.ts'
import './events.ts'
import './personal-data.ts'
import { AssistantOperations } from './graph/assistant.resolver.ts'
import { AssistSessionResolver, SessionOperations } from './graph/assist.resolver.ts'
import { ConsentOperations } from './graph/consent.resolver.ts'
import { GovernanceOperations } from './graph/governance.resolver.ts'
import { AssistToolCallResolver } from './graph/tool-call.resolver.ts'
import { loadSession } from './store/session.ts'
import { loadToolCall } from './store/tool-call.ts'
import {
  executeApproved,
  expireApprovals,
  expireSessions,
  terminateKilled,
} from './workers/assist.ts'

/**
 * The subgraph of assistants. An assistant can read data and make proposals; it changes data only
 * after another person has approved the tool call.
 */
export const assist: Subgraph = {
  name: 'assist',
  resolvers: [
    SessionOperations,
    AssistSessionResolver,
    GovernanceOperations,
    AssistToolCallResolver,
    ConsentOperations,
    AssistantOperations,
  ],
  types: [],
  references: {
    AssistSession: referenceTo('assist:use', 'sessionId', loadSession),
    AssistToolCall: referenceTo('assist:use', 'toolCallId', loadToolCall, async (call, context) => {
      const session = await loadSession(context, call.sessionId)
      return session && maySee(context.caller, ownersOf(session)) ? call : null
    }),
  },
  workers: [expireSessions, terminateKilled, expireApprovals, executeApproved],
}
