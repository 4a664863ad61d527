import { Field, Int, ObjectType } from 'type-graphql'
import { DateTimeScalar, JsonObjectScalar } from '../../../kernel/graph/scalars.ts'

@ObjectType({
  description:
    'One line of the tamper-evident transcript of a session. Personal data is masked, and each ' +
    'line is hashed together with the hash of the previous line.',
})
export class TranscriptLine {
  @Field(() => Int, { description: 'The number of the line, starting at 1.' })
  sequence: number

  @Field(() => String, {
    description:
      "The kind of step: `opened` (the session was opened), `message` (a user's message), " +
      '`model` (a reply of the language model), `tool-call`, `tool-result`, `guardrail` (a ' +
      'verdict), `approval` (a decision on a tool call), `answer` (the text sent to the user) or ' +
      '`ended`.',
  })
  kind: string

  @Field(() => DateTimeScalar, { description: 'When the line was written.' })
  at: Date

  @Field(() => JsonObjectScalar, {
    description:
      'The content of the line, with personal data masked. Its members depend on `kind`.',
  })
  body: object

  @Field(() => String, {
    description:
      'The SHA-256 hash, in hexadecimal, of this line and the `hash` of the previous line.',
  })
  hash: string
}

@ObjectType({ description: 'The result of verifying the hash chain of a transcript.' })
export class TranscriptVerification {
  @Field(() => Boolean, { description: 'Whether the transcript is complete and unchanged.' })
  isComplete: boolean

  @Field(() => Int, { description: 'The number of lines in the transcript.' })
  lines: number

  @Field(() => Int, {
    nullable: true,
    description: 'The number of the first line that is missing or changed; null if there is none.',
  })
  firstBadLine: number | null
}
