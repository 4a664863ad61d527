import { KillSwitch, ApproveToolCallInput, ToolCall } from '../model/tool-call.ts'
import { boolean, id, jsonObject, object, string, text } from '../../../kernel/domain/model.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { approveToolCall, editToolCall, rejectToolCall } from '../commands/approval.ts'
import { setKillSwitch } from '../commands/kill-switch.ts'
import { listSwitches } from '../store/kill-switch.ts'
import { listWaiting } from '../store/tool-call.ts'

/** Mutations that decide on tool calls, and operations on kill switches. */
export const GovernanceOperations = resolverOf({
  queries: {
    assistToolCallsToApprove: listing(ToolCall, {
      description:
        'Returns the tool calls that wait for the approval of another person, the one that ' +
        'expires next first.',
      scope: 'assist:approve',
      isForBankOnly: true,
      list: (context, _, after, take) => listWaiting(context, after, take),
      sortKey: ({ expiresAt, toolCallId }) => [expiresAt!.toISOString(), toolCallId],
    }),
    assistKillSwitches: operation({
      description:
        'Returns all kill switches that were ever set, active or not. Not available to delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: [KillSwitch],
      args: {},
      resolve: (context) => listSwitches(context),
    }),
  },
  mutations: {
    approveToolCall: operation({
      description:
        'Approves a tool call with the reviewed arguments and executes it at once. The user or ' +
        'client who opened the session, or who requested or edited the tool call, cannot approve it.',
      scope: 'assist:approve',
      needsPerson: true,
      returns: ToolCall,
      args: { input: object(ApproveToolCallInput, 'The approval.') },
      resolve: (context, { input }) => approveToolCall(context, input),
    }),
    rejectToolCall: operation({
      description: 'Rejects a tool call that waits for approval.',
      scope: 'assist:approve',
      needsPerson: true,
      returns: ToolCall,
      args: {
        toolCallId: id('The ID of the tool call.'),
        reason: text('Why the tool call is rejected.').orNull(),
      },
      resolve: (context, input) => rejectToolCall(context, input),
    }),
    editToolCall: operation({
      description:
        'Changes the arguments of a tool call that waits for approval. Earlier reviews become ' +
        'void, and the editor cannot approve the tool call.',
      scope: 'assist:approve',
      needsPerson: true,
      returns: ToolCall,
      args: {
        toolCallId: id('The ID of the tool call.'),
        args: jsonObject('The new arguments. They replace all previous arguments.')
          .named('arguments')
          .as<Record<string, unknown>>(),
      },
      resolve: (context, input) => editToolCall(context, input),
    }),
    setAssistKillSwitch: operation({
      description:
        'Disables or re-enables all assistants, a type of assistant, a model or a tool. Affected ' +
        'answers in progress stop within a second. A switch for a tool does not stop ' +
        'answers; it only blocks calls to the tool.',
      scope: 'operations:manage',
      needsPerson: true,
      returns: KillSwitch,
      args: {
        scope: string(
          'What the switch disables: everything (`all`), a type of assistant (`type:<type>`), a ' +
            'model (`model:<alias>`) or a tool (`tool:<name>`).',
        ),
        isOn: boolean(
          'Whether the switch is active. An active switch disables everything in its `scope`.',
        ),
        reason: text('Why the switch is changed.').orNull(),
      },
      resolve: (context, input) => setKillSwitch(context, input),
    }),
  },
})
