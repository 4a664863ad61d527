import { boolean, id, integer, shape, string, type TypeOf } from '../../../kernel/domain/model.ts'

export const IdentityVerification = shape(
  'IdentityVerification',
  'The result of verifying the audit of identity, or a part of it, against its hash chain.',
  {
    isIntact: boolean('Whether nothing was changed, removed or inserted.'),
    firstLine: integer(
      'The number of the first verified line. It is the first line of the checkpoint that contains ' +
        'the requested line.',
    ),
    linesChecked: integer('The number of lines, from `firstLine` on, that match the hash chain.'),
    head: string(
      'The hash of the last matching checkpoint. Compare it with a copy that is stored elsewhere ' +
        'to detect that the whole chain was replaced.',
    ),
    badLine: integer(
      'The number of the first line that does not match; null if all lines match, and for a record ' +
        'that is on no line.',
    ).orNull(),
    recordId: id(
      'The ID of the record that was changed, removed or inserted; null if the audit is intact.',
    ).orNull(),
    detail: string('A description of the mismatch; null if the audit is intact.').orNull(),
  },
)
export type IdentityVerification = TypeOf<typeof IdentityVerification>
