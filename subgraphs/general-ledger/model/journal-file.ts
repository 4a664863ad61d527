import {
  bigInt,
  currency,
  decimal,
  enumeration,
  id,
  instant,
  list,
  object,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const JournalFileFormat = enumeration('JournalFileFormat', 'The format of a journal file.', {
  csv: 'Comma-separated values (RFC 4180) in UTF-8, with one header line.',
  ndjson: 'One JSON object per line, in UTF-8.',
  parquet: 'Apache Parquet, compressed with Snappy.',
})
export type JournalFileFormat = TypeOf<typeof JournalFileFormat>

export const JournalTotal = shape(
  'JournalTotal',
  'The totals of the entries of a period in one currency. Equal to those of the trial balance.',
  {
    currency: currency('The currency of the amounts.'),
    debit: decimal('The total of the debits.'),
    credit: decimal('The total of the credits.'),
  },
)
export type JournalTotal = TypeOf<typeof JournalTotal>

export const JournalFile = shape(
  'JournalFile',
  'The journal of an accounting period as a file of any size, and where to download it.',
  {
    accountingPeriodId: id('The period, such as `2026-03`.'),
    fileName: string('A name for the file, such as `journal-2026-03.parquet`.'),
    mediaType: string('The media type of the file.'),
    url: string('The signed URL of the file. Whoever has the URL can read the file.'),
    manifestUrl: string(
      'The signed URL of the manifest: a JSON object with the number of rows, the totals and the SHA-256 of the file. The bank reads the journal once more for it.',
    ),
    expiresAt: instant('When the URLs expire, in UTC. A download that has begun continues.'),
    throughPosition: bigInt(
      'The position in the event log up to which the file and the manifest contain postings.',
    ),
    totals: list(
      object(JournalTotal),
      'The totals of the entries, in the order of the currencies.',
    ),
  },
)
export type JournalFile = TypeOf<typeof JournalFile>
