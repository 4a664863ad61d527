import { Directive, Field, ObjectType } from 'type-graphql'
import { enumeration, type TypeOf } from '../domain/model.ts'

export const DocumentFormat = enumeration('DocumentFormat', 'The format of a document.', {
  csv: 'Comma-separated values (RFC 4180) in UTF-8, with one header line.',
  pdf:
    'A tagged PDF file that follows PDF/A-2a. A request can have at most 10; more fail with ' +
    '`LIMIT_EXCEEDED`.',
})
export type DocumentFormat = TypeOf<typeof DocumentFormat>

@ObjectType('DocumentFile', { description: 'A document for a customer, as a file.' })
@Directive('@shareable')
export class DocumentFile {
  @Field(() => String, {
    description: 'A name for the file, such as `loan_1-2090-01-01-2090-01-31.pdf`.',
  })
  fileName: string

  @Field(() => String, { description: 'The media type of the content, such as `application/pdf`.' })
  mediaType: string

  @Field(() => String, { description: 'The content of the file, in base64 with padding.' })
  contentBase64: string
}

const kinds = {
  csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8' },
  pdf: { extension: 'pdf', mediaType: 'application/pdf' },
} satisfies Record<DocumentFormat, { extension: string; mediaType: string }>

/** Returns a file with a name without its extension, and its content. */
export function documentFile(
  name: string,
  format: DocumentFormat,
  content: string | Buffer,
): DocumentFile {
  const { extension, mediaType } = kinds[format]
  const contentBase64 = Buffer.from(content as string).toString('base64')
  return { fileName: `${name}.${extension}`, mediaType, contentBase64 }
}
