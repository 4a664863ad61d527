import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import {
  Base64Scalar,
  DateTimeScalar,
  LabelScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import { documentStatuses, type DocumentStatus } from '../domain/document.ts'
import { retentionClasses, type RetentionClass } from '../domain/retention.ts'

export const RetentionClassEnum = wireEnum(
  'RetentionClass',
  retentionClasses,
  'The reason why a document is retained, which determines the retention period. The period ' +
    'starts when the case of the document ends. For a document without a case, it starts with ' +
    'the newest version.',
  {
    'short-term': 'The document is retained for three months.',
    servicing: 'The document is retained for 2 years.',
    complaint: 'The document is retained for 3 years.',
    'due-diligence': 'The document is retained for 5 years.',
    contract: 'The document is retained for 10 years.',
  },
)
const DocumentStatusEnum = wireEnum(
  'DocumentStatus',
  documentStatuses,
  'Whether the content of a document still exists.',
  {
    active: 'The content of the document is available.',
    erased: 'The content was erased at the end of its retention period. This status is final.',
  },
)

@ObjectType({
  description:
    'A link for downloading the content of a document version. Anyone who has the link can use it.',
})
export class DocumentDownload {
  @Field(() => String, { description: 'The URL to read with HTTP GET.' })
  url: string

  @Field(() => DateTimeScalar, { description: 'When the link expires.' })
  expiresAt: Date
}

@ObjectType({ description: 'One version of a document.' })
export class DocumentVersion {
  @Field(() => Int, { description: 'The number of the version, starting at 1.' })
  number: number

  @Field(() => String, { description: 'The name of the file; `…` if the document was erased.' })
  fileName: string

  @Field(() => String, { description: 'The media type of the content, such as application/pdf.' })
  mediaType: string

  @Field(() => Int, { description: 'The size of the content, in bytes.' })
  sizeBytes: number

  @Field(() => String, {
    description:
      'The SHA-256 hash of the content, in hexadecimal. The hash is kept when the document is ' +
      'erased.',
  })
  sha256: string

  @Field(() => DateTimeScalar, { description: 'When the version was added.' })
  at: Date
}

@ObjectType({
  description: 'A legal hold on a document. While it is in place, the document is not erased.',
})
export class LegalHold {
  @Field(() => String, { description: 'Why the hold was placed.' })
  reason: string

  @Field(() => String, { description: 'The user or client who placed the hold.' })
  by: string

  @Field(() => DateTimeScalar, { description: 'When the hold was placed.' })
  at: Date
}

@ObjectType({ description: 'A document with all its versions.' })
@Directive('@key(fields: "documentId")')
export class Document {
  @Field(() => ID, { description: 'The ID of the document, such as `doc_…`.' })
  documentId: string

  @Field(() => String, { description: 'The title of the document.' })
  title: string

  @Field(() => String, {
    description:
      'The type of the document, such as `passport`, `payslip` or `letter`. The values are ' +
      'defined by the bank.',
  })
  documentType: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the party the document belongs to; null if it belongs to a case without a party.',
  })
  partyId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the case the document belongs to; null if it belongs to none.',
  })
  caseId: string | null

  @Field(() => Boolean, { description: 'Whether the party can see the document.' })
  isShared: boolean

  @Field(() => RetentionClassEnum, {
    description: 'The reason why the document is retained, which determines the retention period.',
  })
  retentionClass: RetentionClass

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the retention period started; null while the case of the document has not ended.',
  })
  retentionStartsAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the content is due to be erased, unless a legal hold is in place; null while the ' +
      'retention period has not started.',
  })
  eraseAt: Date | null

  @Field(() => DocumentStatusEnum, {
    description: 'Whether the content of the document still exists.',
  })
  status: DocumentStatus

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the content was erased; null before that.',
  })
  erasedAt: Date | null

  @Field(() => [DocumentVersion], { description: 'All versions, oldest first.' })
  versions: readonly DocumentVersion[]

  @Field(() => DateTimeScalar, { description: 'When the document was attached.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the document was last changed.' })
  updatedAt: Date
}

export const DocumentConnection = connectionOf('Document', () => Document)

@ObjectType({ description: 'A link for uploading one file with a single HTTP PUT.' })
export class DocumentUpload {
  @Field(() => ID, {
    description: 'The ID of the upload, to send to `attachDocument` or `addDocumentVersion`.',
  })
  uploadId: string

  @Field(() => String, {
    description:
      'The URL to send the file to with HTTP PUT. Anyone who has the URL can use it, once.',
  })
  url: string

  @Field(() => DateTimeScalar, {
    description: 'When the link expires, one hour after it was requested.',
  })
  expiresAt: Date

  @Field(() => Int, { description: 'The maximum size of the file, in bytes.' })
  maxBytes: number
}

@InputType({ description: 'The file to upload.' })
export class RequestDocumentUploadInput {
  @Field(() => LabelScalar, { description: 'The name of the file, without a folder.' })
  fileName: string

  @Field(() => LabelScalar, {
    description: 'The media type of the file, without parameters, such as application/pdf.',
  })
  mediaType: string
}

@InputType({
  description: 'The content of a document version: either an upload, or a small file sent inline.',
})
class SourceInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of an upload that the same client created and whose file it has already sent. ' +
      'Must be omitted if `content` is sent.',
  })
  uploadId?: string | null

  @Field(() => Base64Scalar, {
    nullable: true,
    description: 'The content of the file, in Base64. Requires `fileName` and `mediaType`.',
  })
  content?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The name of the file, without a folder. Only allowed with `content`.',
  })
  fileName?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The media type of the file, such as application/pdf. Only allowed with `content`.',
  })
  mediaType?: string | null
}

@InputType({
  description: 'A new document with its first version. It must belong to a party, a case or both.',
})
export class AttachDocumentInput extends SourceInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the document, chosen by the client. Generated if omitted.',
  })
  documentId?: string | null

  @Field(() => LabelScalar, { description: 'The title of the document.' })
  title: string

  @Field(() => LabelScalar, {
    description: 'The type of the document, such as `passport`, `payslip` or `letter`.',
  })
  documentType: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the party the document belongs to. Defaults to the party of the case, which it ' +
      'must match if there is one. Otherwise defaults to the party of the delegated user.',
  })
  partyId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the case the document belongs to. The case must not have ended.',
  })
  caseId?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the party can see the document. Defaults to `false`. Always `true` for documents ' +
      'that delegated users attach, and always `false` for documents of confidential cases.',
  })
  isShared?: boolean | null

  @Field(() => RetentionClassEnum, {
    nullable: true,
    description:
      'The reason why the document is retained. Defaults to the retention class of the type of ' +
      'the case, or to `SERVICING` for a document without a case.',
  })
  retentionClass?: RetentionClass | null
}

@InputType({ description: 'A new version of a document.' })
export class AddDocumentVersionInput extends SourceInput {
  @Field(() => ID, { description: 'The ID of the document.' })
  documentId: string
}

@InputType({ description: 'A legal hold to place on a document.' })
export class PlaceLegalHoldInput {
  @Field(() => ID, { description: 'The ID of the document.' })
  documentId: string

  @Field(() => TextScalar, { description: 'Why the document must be preserved.' })
  reason: string
}
