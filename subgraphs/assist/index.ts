import 'reflect-metadata'
import { maySee, requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import { ownersOf } from './domain/session.ts'
import './events.ts'
import { AssistantResolver } from './graph/assistant.resolver.ts'
import { AssistSessionResolver } from './graph/assist.resolver.ts'
import { AssistConsentResolver } from './graph/consent.resolver.ts'
import { AssistGovernanceResolver } from './graph/governance.resolver.ts'
import { toolCallOut } from './graph/out.ts'
import { AssistToolCallResolver } from './graph/tool-call.resolver.ts'
import { loadSession } from './store/session.ts'
import { loadToolCall } from './store/tool-call.ts'
import { executeApproved, expireApprovals, expireSessions, terminateKilled } from './workers.ts'

/** Governed assistants, which read and propose, and act only with another person's approval. */
export const assist: Subgraph = {
  name: 'assist',
  resolvers: [
    AssistSessionResolver,
    AssistGovernanceResolver,
    AssistToolCallResolver,
    AssistConsentResolver,
    AssistantResolver,
  ],
  types: [],
  references: {
    AssistSession({ sessionId }: { sessionId: string }, context) {
      requireScope(context.caller, 'assist:use')
      return loadSession(context, sessionId)
    },
    async AssistToolCall({ toolCallId }: { toolCallId: string }, context) {
      requireScope(context.caller, 'assist:use')
      const call = await loadToolCall(context, toolCallId)
      const session = call && (await loadSession(context, call.sessionId))
      return session && maySee(context.caller, ownersOf(session)) ? toolCallOut(call) : null
    },
  },
  workers: [expireSessions, terminateKilled, expireApprovals, executeApproved],
}
