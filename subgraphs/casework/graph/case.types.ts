import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import {
  casePriorities,
  caseStatuses,
  type CasePriority,
  type CaseStatus,
  type NewCase,
} from '../domain/case.ts'
import { caseTypes, type CaseType } from '../domain/case-type.ts'
import { entryKinds, type EntryKind } from '../domain/timeline.ts'

const CaseTypeEnum = wireEnum('CaseType', caseTypes, 'What a matter is; it says how long there is.')
export const CaseStatusEnum = wireEnum('CaseStatus', caseStatuses, 'Where a case stands.')
const CasePriorityEnum = wireEnum('CasePriority', casePriorities, 'How urgent a case is.')
const EntryKindEnum = wireEnum('CaseEntryKind', entryKinds, 'What happened in a case.')

@ObjectType({ description: 'How long the bank still has for a case.' })
export class CaseClock {
  @Field(() => Boolean, { description: 'It stands while the customer is waited for.' })
  isRunning: boolean

  @Field(() => DateTimeScalar, { nullable: true, description: 'Null while it stands.' })
  dueAt: Date | null

  @Field(() => Int, { description: 'What is left; less than 0 when it is late.' })
  remainingSeconds: number

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the time was over with the case open.',
  })
  breachedAt: Date | null
}

@ObjectType({ description: 'Something that happened in a case.' })
export class CaseEntry {
  @Field(() => Int)
  number: number

  @Field(() => EntryKindEnum)
  kind: EntryKind

  @Field(() => String, { nullable: true })
  text: string | null

  @Field(() => Boolean, { description: 'The party of the case may read it.' })
  isShared: boolean

  @Field(() => DateTimeScalar)
  at: Date
}

export const CaseEntryConnection = connectionOf('CaseEntry', () => CaseEntry)

@ObjectType({ description: 'One matter the bank works on.' })
@Directive('@key(fields: "caseId")')
export class Case {
  @Field(() => ID)
  caseId: string

  @Field(() => CaseTypeEnum)
  caseType: CaseType

  @Field(() => String)
  title: string

  @Field(() => String, { nullable: true })
  description: string | null

  @Field(() => ID, { nullable: true })
  partyId: string | null

  @Field(() => [String], { description: 'What it is about: `hardship-request/hrd_1`.' })
  subjects: readonly string[]

  @Field(() => CaseStatusEnum)
  status: CaseStatus

  @Field(() => CasePriorityEnum)
  priority: CasePriority

  @Field(() => String, { nullable: true, description: 'How it ended, in words.' })
  outcome: string | null

  @Field(() => ID, { nullable: true })
  assigneeId: string | null

  @Field(() => ID, { nullable: true, description: 'Where it waits, or came from.' })
  queueId: string | null

  @Field(() => DateTimeScalar)
  openedAt: Date

  @Field(() => DateTimeScalar, { nullable: true })
  resolvedAt: Date | null

  @Field(() => DateTimeScalar, { nullable: true })
  endedAt: Date | null

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const CaseConnection = connectionOf('Case', () => Case)

@InputType()
export class OpenCaseInput implements NewCase {
  @Field(() => ID, { nullable: true })
  caseId?: string | null

  @Field(() => CaseTypeEnum)
  caseType: CaseType

  @Field(() => LabelScalar)
  title: string

  @Field(() => TextScalar, { nullable: true })
  description?: string | null

  @Field(() => ID, { nullable: true })
  partyId?: string | null

  @Field(() => [String], {
    nullable: true,
    description: 'What it is about, `<entity>/<id>`: `hardship-request/hrd_1`.',
  })
  subjects?: string[] | null

  @Field(() => CasePriorityEnum, { nullable: true, description: '`NORMAL` when absent.' })
  priority?: CasePriority | null

  @Field(() => LabelScalar, { nullable: true, description: '`open` when absent.' })
  status?: string | null

  @Field(() => ID, { nullable: true, description: 'Looks for somebody at once.' })
  routingProfileId?: string | null
}
