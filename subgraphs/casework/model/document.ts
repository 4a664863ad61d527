import {
  stored,
  type TypeOf,
  base64,
  boolean,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  string,
  text,
} from '../../../kernel/domain/model.ts'
import { RetentionClass, DocumentStatus } from './enumerations.ts'

export const DocumentDownload = shape(
  'DocumentDownload',
  'A link for downloading the content of a document version. Anyone who has the link can use it.',
  {
    url: string('The URL to read with HTTP GET.'),
    expiresAt: instant('When the link expires.'),
  },
)

export const DocumentVersion = shape('DocumentVersion', 'One version of a document.', {
  number: integer('The number of the version, starting at 1.'),
  fileName: string('The name of the file; `…` if the document was erased.'),
  mediaType: string('The media type of the content, such as application/pdf.'),
  sizeBytes: integer('The size of the content, in bytes.'),
  sha256: string(
    'The SHA-256 hash of the content, in hexadecimal. The hash is kept when the document is ' +
      'erased.',
  ),
  at: instant('When the version was added.'),
  contentId: stored<string>(),
  by: stored<string>(),
})
export type DocumentVersion = TypeOf<typeof DocumentVersion>

export const LegalHold = shape(
  'LegalHold',
  'A legal hold on a document. While it is in place, the document is not erased.',
  {
    reason: string('Why the hold was placed.'),
    by: string('The user or client who placed the hold.'),
    at: instant('When the hold was placed.'),
  },
)
export type LegalHold = TypeOf<typeof LegalHold>

export const Document = entity('Document', 'documentId', 'A document with all its versions.', {
  documentId: id('The ID of the document, such as `doc_…`.'),
  title: string('The title of the document.'),
  documentType: string(
    'The type of the document, such as `passport`, `payslip` or `letter`. The values are ' +
      'defined by the bank.',
  ),
  partyId: id(
    'The ID of the party the document belongs to; null if it belongs to a case without a party.',
  ).orNull(),
  caseId: id('The ID of the case the document belongs to; null if it belongs to none.').orNull(),
  isShared: boolean('Whether the party can see the document.'),
  retentionClass: oneOf(
    RetentionClass,
    'The reason why the document is retained, which determines the retention period.',
  ),
  retentionStartsAt: instant(
    'When the retention period started; null while the case of the document has not ended.',
  ).orNull(),
  eraseAt: instant(
    'When the content is due to be erased, unless a legal hold is in place; null while the ' +
      'retention period has not started.',
  ).orNull(),
  status: oneOf(DocumentStatus, 'Whether the content of the document still exists.'),
  erasedAt: instant('When the content was erased; null before that.').orNull(),
  versions: list(object(DocumentVersion), 'All versions, oldest first.'),
  createdAt: instant('When the document was attached.'),
  updatedAt: instant('When the document was last changed.'),
  // The reason, time and author of the legal hold. All three are null if there is none.
  holdReason: stored<string | null>(),
  heldAt: stored<Date | null>(),
  heldBy: stored<string | null>(),
  contentHash: stored<string>(),
  version: stored<number>(),
})
export type Document = TypeOf<typeof Document>

export const DocumentUpload = shape(
  'DocumentUpload',
  'A link for uploading one file with a single HTTP PUT.',
  {
    uploadId: id('The ID of the upload, to send to `attachDocument` or `addDocumentVersion`.'),
    url: string(
      'The URL to send the file to with HTTP PUT. Anyone who has the URL can use it, once.',
    ),
    expiresAt: instant('When the link expires, one hour after it was requested.'),
    maxBytes: integer('The maximum size of the file, in bytes.'),
  },
)

export const RequestDocumentUploadInput = input(
  'RequestDocumentUploadInput',
  'The file to upload.',
  {
    fileName: label('The name of the file, without a folder.'),
    mediaType: label('The media type of the file, without parameters, such as application/pdf.'),
  },
)
export type RequestDocumentUploadInput = TypeOf<typeof RequestDocumentUploadInput>

const SourceInput = input(
  'SourceInput',
  'The content of a document version: either an upload, or a small file sent inline.',
  {
    uploadId: id(
      'The ID of an upload that the same client created and whose file it has already sent. ' +
        'Must be omitted if `content` is sent.',
    ).orNull(),
    content: base64(
      'The content of the file, in Base64. Requires `fileName` and `mediaType`.',
    ).orNull(),
    fileName: label(
      'The name of the file, without a folder. Only allowed with `content`.',
    ).orNull(),
    mediaType: label(
      'The media type of the file, such as application/pdf. Only allowed with `content`.',
    ).orNull(),
  },
)
type SourceInput = TypeOf<typeof SourceInput>

export const AttachDocumentInput = input(
  'AttachDocumentInput',
  'A new document with its first version. It must belong to a party, a case or both.',
  {
    ...SourceInput.fields,
    documentId: id('The ID of the document, chosen by the client. Generated if omitted.').orNull(),
    title: label('The title of the document.'),
    documentType: label('The type of the document, such as `passport`, `payslip` or `letter`.'),
    partyId: id(
      'The ID of the party the document belongs to. Defaults to the party of the case, which it ' +
        'must match if there is one. Otherwise defaults to the party of the delegated user.',
    ).orNull(),
    caseId: id(
      'The ID of the case the document belongs to. The case must not have ended.',
    ).orNull(),
    isShared: boolean(
      'Whether the party can see the document. Defaults to `false`. Always `true` for documents ' +
        'that delegated users attach, and always `false` for documents of confidential cases.',
    ).orNull(),
    retentionClass: oneOf(
      RetentionClass,
      'The reason why the document is retained. Defaults to the retention class of the type of ' +
        'the case, or to `SERVICING` for a document without a case.',
    ).orNull(),
  },
)
export type AttachDocumentInput = TypeOf<typeof AttachDocumentInput>

export const AddDocumentVersionInput = input(
  'AddDocumentVersionInput',
  'A new version of a document.',
  {
    ...SourceInput.fields,
    documentId: id('The ID of the document.'),
  },
)
export type AddDocumentVersionInput = TypeOf<typeof AddDocumentVersionInput>

export const PlaceLegalHoldInput = input(
  'PlaceLegalHoldInput',
  'A legal hold to place on a document.',
  {
    documentId: id('The ID of the document.'),
    reason: text('Why the document must be preserved.'),
  },
)
export type PlaceLegalHoldInput = TypeOf<typeof PlaceLegalHoldInput>
