import {
  id,
  input,
  label,
  object,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const AssistSubjectInput = input(
  'AssistSubjectInput',
  'The record an assist session is about. At most one field can be set.',
  {
    partyId: id('The ID of a party.').orNull(),
    customerId: id('The ID of a customer.').orNull(),
    caseId: id('The ID of a case.').orNull(),
    applicationId: id('The ID of a loan application.').orNull(),
    facilityId: id('The ID of a loan or facility.').orNull(),
  },
)
export type AssistSubjectInput = TypeOf<typeof AssistSubjectInput>

export const CreateAssistSessionInput = input('CreateAssistSessionInput', 'A new assist session.', {
  assistantType: label(
    'The type of the assistant. A type that has neither a published nor a retired version gets ' +
      'a general assistant without tools.',
  ),
  sessionId: id('The ID of the session, chosen by the client. Generated if omitted.').orNull(),
  status: label('The initial status; only `active` is allowed, which is the default.').orNull(),
  subject: object(
    AssistSubjectInput,
    "The record the session is about. The assistant can read only the data of that record's " +
      'party, if the record has one.',
  ).orNull(),
  channel: label('The channel the user is on, such as `web`. Stored for reference.').orNull(),
  locale: label('The language of the conversation, as a BCP 47 tag. Defaults to `en`.').orNull(),
  purpose: text('The purpose of the conversation. Stored for reference.').orNull(),
})
export type CreateAssistSessionInput = TypeOf<typeof CreateAssistSessionInput>

export const SendAssistMessageInput = input(
  'SendAssistMessageInput',
  'A message of the user to an assistant. Exactly one of `content`, `message` and `text` must ' +
    'be sent.',
  {
    sessionId: id('The ID of the session.'),
    content: string('The text of the message, from 1 to 16,000 characters.').orNull(),
    message: string('An alias of `content`.').orNull(),
    text: string('An alias of `content`.').orNull(),
    role: label('The role of the author; only `user` is allowed.').orNull(),
    clientMessageId: label(
      'A message ID chosen by the client. A message sent again with the same ID returns the ' +
        'first answer.',
    ).orNull(),
    streamId: label(
      'A new ID that the client chooses to read the steps of the turn with `assistTurn` while ' +
        'the turn runs.',
    ).orNull(),
  },
)
export type SendAssistMessageInput = TypeOf<typeof SendAssistMessageInput>
