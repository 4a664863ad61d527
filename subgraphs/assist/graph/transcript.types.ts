import { Field, Int, ObjectType } from 'type-graphql'
import { DateTimeScalar, JsonObjectScalar } from '../../_kernel/scalars.ts'

@ObjectType({
  description:
    'One line of the tamper-evident transcript of a session. Personal data is masked, and each ' +
    'line is hashed together with the hash of the line before it.',
})
export class TranscriptLine {
  @Field(() => Int, { description: 'The number of the line, starting at 1.' })
  sequence: number

  @Field(() => String, {
    description:
      'The kind of the line: `opened`, `message`, `model`, `tool-call`, `tool-result`, ' +
      '`guardrail`, `approval`, `answer` or `ended`.',
  })
  kind: string

  @Field(() => DateTimeScalar, { description: 'When the line was written.' })
  at: Date

  @Field(() => JsonObjectScalar, { description: 'The masked content of the line.' })
  body: object

  @Field(() => String, {
    description: 'The SHA-256 hash of the line and its predecessor, in hexadecimal.',
  })
  hash: string
}

@ObjectType({ description: 'The result of verifying the hash chain of a transcript.' })
export class TranscriptVerification {
  @Field(() => Boolean, { description: 'Whether the transcript is complete and unchanged.' })
  isWhole: boolean

  @Field(() => Int, { description: 'The number of lines in the transcript.' })
  lines: number

  @Field(() => Int, {
    nullable: true,
    description: 'The number of the first line that is missing or changed; null if there is none.',
  })
  firstBadLine: number | null
}
