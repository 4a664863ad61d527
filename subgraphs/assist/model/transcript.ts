import {
  boolean,
  instant,
  integer,
  jsonObject,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const TranscriptLine = shape(
  'TranscriptLine',
  'One line of the tamper-evident transcript of a session. Personal data is masked, and each ' +
    'line is hashed together with the hash of the previous line.',
  {
    sequence: integer('The number of the line, starting at 1.'),
    kind: string(
      "The kind of step: `opened` (the session was opened), `message` (a user's message), " +
        '`model` (a reply of the language model), `tool-call`, `tool-result`, `guardrail` (a ' +
        'verdict), `approval` (a decision on a tool call), `answer` (the text sent to the user) or ' +
        '`ended`.',
    ),
    at: instant('When the line was written.'),
    body: jsonObject(
      'The content of the line, with personal data masked. Its members depend on `kind`.',
    ),
    hash: string(
      'The SHA-256 hash, in hexadecimal, of this line and the `hash` of the previous line.',
    ),
  },
)
export type TranscriptLine = TypeOf<typeof TranscriptLine>

export const TranscriptVerification = shape(
  'TranscriptVerification',
  'The result of verifying the hash chain of a transcript.',
  {
    isComplete: boolean('Whether the transcript is complete and unchanged.'),
    lines: integer('The number of lines in the transcript.'),
    firstBadLine: integer(
      'The number of the first line that is missing or changed; null if there is none.',
    ).orNull(),
  },
)
export type TranscriptVerification = TypeOf<typeof TranscriptVerification>
