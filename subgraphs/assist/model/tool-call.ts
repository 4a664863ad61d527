import {
  stored,
  type TypeOf,
  boolean,
  entity,
  id,
  input,
  instant,
  jsonObject,
  oneOf,
  shape,
  string,
  text,
} from '../../../kernel/domain/model.ts'
import type { TokenIds } from './assist.ts'
import { ToolCallState } from './enumerations.ts'

/** The token of the sender of a message, with the scopes that it had. */
export interface RequesterToken extends TokenIds {
  clientId: string
  scopes: readonly string[]
}

/** A use of a tool. The database stores the arguments and the result encrypted. */
export const ToolCall = entity(
  'AssistToolCall',
  'toolCallId',
  'A request by an assistant to execute a tool, with its result.',
  {
    toolCallId: id('The ID of the tool call, such as `tcl_…`.').inEvents(),
    sessionId: id('The ID of the session.').inEvents(),
    name: string('The name of the tool.').inEvents(),
    state: oneOf(ToolCallState, 'The state of the tool call.').inEvents(),
    args: jsonObject('The arguments of the tool call.')
      .named('arguments')
      .as<Readonly<Record<string, unknown>>>(),
    argumentsHash: string(
      'The SHA-256 hash of the tool name and the arguments, in hexadecimal. An approval refers ' +
        'to this hash.',
    ).inEvents(),
    isTainted: boolean(
      'Whether the assistant had read untrusted text, such as a document, earlier in the turn in ' +
        'which it requested the tool call.',
    ),
    result: jsonObject('The result of the tool call; null until there is one.').orNull(),
    requestedAt: instant('When the assistant requested the tool call.'),
    expiresAt: instant(
      'When the approval request expires, 15 minutes after it was made; null if no approval was ' +
        'needed.',
    ).orNull(),
    decidedBy: string(
      'The user or client who approved or rejected the tool call; null before that.',
    )
      .orNull()
      .namesActor(),
    decidedAt: instant('When the tool call was approved or rejected; null before that.').orNull(),
    reason: text('The reason given for the decision; null if none was given.').orNull(),
    requestedBy: string(
      'The user or client whose message led to the tool call; null if it was not recorded.',
    )
      .orNull()
      .namesActor(),
    /** The token with which the message was sent; null if it was not recorded. */
    requesterToken: stored<RequesterToken | null>(),
    editedBy: string('The user or client who last changed the arguments; null if nobody did.')
      .orNull()
      .namesActor(),
    version: stored<number>(),
  },
)
export type ToolCall = TypeOf<typeof ToolCall>

export const KillSwitch = shape(
  'AssistKillSwitch',
  'A switch that disables assistants, models or tools.',
  {
    scope: string(
      'What the switch disables: everything (`all`), a type of assistant (`type:<type>`), a ' +
        'model (`model:<alias>`) or a tool (`tool:<name>`).',
    ),
    isOn: boolean(
      'Whether the switch is active. An active switch disables everything in its `scope`.',
    ),
    reason: text('Why the switch was last changed; null if no reason was given.').orNull(),
    setBy: string('The user or client who last changed the switch.'),
    setAt: instant('When the switch was last changed.'),
    version: stored<number>(),
  },
)
export type KillSwitch = TypeOf<typeof KillSwitch>

export const ApproveToolCallInput = input('ApproveToolCallInput', 'The approval of a tool call.', {
  toolCallId: id('The ID of the tool call to approve.'),
  argumentsHash: string(
    'The `argumentsHash` of the arguments that were reviewed. The approval is rejected if the ' +
      'arguments have changed since.',
  ),
  reason: text('The reason for the approval.').orNull(),
})
export type ApproveToolCallInput = TypeOf<typeof ApproveToolCallInput>
