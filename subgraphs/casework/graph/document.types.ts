import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { Base64Scalar, DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import { documentStatuses, type DocumentStatus } from '../domain/document.ts'
import { retentionClasses, type RetentionClass } from '../domain/retention.ts'

export const RetentionClassEnum = wireEnum(
  'RetentionClass',
  retentionClasses,
  'Why a document is kept, which says for how long.',
)
const DocumentStatusEnum = wireEnum(
  'DocumentStatus',
  documentStatuses,
  'Whether the content of a document is still there.',
)

@ObjectType({ description: 'Where a content can be read, by whoever has the address.' })
export class DocumentDownload {
  @Field(() => String)
  url: string

  @Field(() => DateTimeScalar)
  expiresAt: Date
}

@ObjectType({ description: 'One version of a document.' })
export class DocumentVersion {
  @Field(() => Int, { description: 'Counted from 1.' })
  number: number

  @Field(() => String)
  fileName: string

  @Field(() => String)
  mediaType: string

  @Field(() => Int)
  sizeBytes: number

  @Field(() => String, { description: 'SHA-256 of the bytes, in hex.' })
  sha256: string

  @Field(() => DateTimeScalar)
  at: Date
}

@ObjectType({ description: 'A legal hold: nothing is erased while it lasts.' })
export class LegalHold {
  @Field(() => String)
  reason: string

  @Field(() => String)
  by: string

  @Field(() => DateTimeScalar)
  at: Date
}

@ObjectType({ description: 'A document in all its versions.' })
@Directive('@key(fields: "documentId")')
export class Document {
  @Field(() => ID)
  documentId: string

  @Field(() => String)
  title: string

  @Field(() => String)
  documentType: string

  @Field(() => ID, { nullable: true })
  partyId: string | null

  @Field(() => ID, { nullable: true })
  caseId: string | null

  @Field(() => Boolean, { description: 'Its party may see it.' })
  isShared: boolean

  @Field(() => RetentionClassEnum)
  retentionClass: RetentionClass

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the time it is kept began; null while its case is open.',
  })
  retentionStartsAt: Date | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When its content is given up.' })
  eraseAt: Date | null

  @Field(() => DocumentStatusEnum)
  status: DocumentStatus

  @Field(() => DateTimeScalar, { nullable: true })
  erasedAt: Date | null

  @Field(() => [DocumentVersion], { description: 'The oldest first.' })
  versions: readonly DocumentVersion[]

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const DocumentConnection = connectionOf('Document', () => Document)

@ObjectType({ description: 'An address that takes one file, once, by PUT.' })
export class DocumentUpload {
  @Field(() => ID, { description: 'What attachDocument and addDocumentVersion take.' })
  uploadId: string

  @Field(() => String)
  url: string

  @Field(() => DateTimeScalar)
  expiresAt: Date

  @Field(() => Int)
  mostBytes: number
}

@InputType()
export class RequestDocumentUploadInput {
  @Field(() => LabelScalar)
  fileName: string

  @Field(() => LabelScalar)
  mediaType: string
}

@InputType({ description: 'Either what was sent to an upload, or a small content said here.' })
class SourceInput {
  @Field(() => ID, { nullable: true })
  uploadId?: string | null

  @Field(() => Base64Scalar, { nullable: true })
  content?: string | null

  @Field(() => LabelScalar, { nullable: true })
  fileName?: string | null

  @Field(() => LabelScalar, { nullable: true })
  mediaType?: string | null
}

@InputType()
export class AttachDocumentInput extends SourceInput {
  @Field(() => ID, { nullable: true })
  documentId?: string | null

  @Field(() => LabelScalar)
  title: string

  @Field(() => LabelScalar, { description: '`passport`, `payslip`, `letter`.' })
  documentType: string

  @Field(() => ID, { nullable: true, description: "The case's party when absent." })
  partyId?: string | null

  @Field(() => ID, { nullable: true })
  caseId?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Its party may see it. `false` when absent.',
  })
  isShared?: boolean | null

  @Field(() => RetentionClassEnum, {
    nullable: true,
    description: 'That of its case when absent, else `SERVICING`.',
  })
  retentionClass?: RetentionClass | null
}

@InputType()
export class AddDocumentVersionInput extends SourceInput {
  @Field(() => ID)
  documentId: string
}

@InputType()
export class PlaceLegalHoldInput {
  @Field(() => ID)
  documentId: string

  @Field(() => TextScalar)
  reason: string
}
