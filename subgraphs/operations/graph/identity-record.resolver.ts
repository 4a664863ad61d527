import {
  IdentityOutcome,
  IdentityRecord,
  IdentityRecordKind,
} from '../../../kernel/domain/identity-record.ts'
import { id, instant, integer, oneOf, string } from '../../../kernel/domain/model.ts'
import { requireCallerWaits } from '../../../kernel/environment/context.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import { IdentityVerification } from '../model/identity-record.ts'
import { listIdentityRecords } from '../store/identity-record.ts'
import { verifyIdentityRecords } from '../store/identity-verification.ts'

export const IdentityRecordOperations = resolverOf({
  queries: {
    identityRecords: listing(IdentityRecord, {
      description:
        'Returns the audit of identity, latest first: log-ins, log-outs, consents, tokens, ' +
        'revocations, and changes of employees and clients. Not available to delegated users.',
      scope: 'audit:read',
      isForBankOnly: true,
      filters: {
        person: string('Returns only records about the person with this username.').orNull(),
        partyId: id('Returns only records about persons who act for this party.').orNull(),
        clientId: string('Returns only records about this OAuth client.').orNull(),
        kind: oneOf(IdentityRecordKind, 'Returns only records of this kind.').orNull(),
        outcome: oneOf(IdentityOutcome, 'Returns only records with this outcome.').orNull(),
        since: instant('Returns only records at or after this time.').orNull(),
        until: instant('Returns only records before this time.').orNull(),
      },
      list: listIdentityRecords,
      sortKey: ({ at, recordId }) => [at.toISOString(), recordId],
    }),
    verifyIdentityRecords: operation({
      description:
        'Verifies the audit of identity against its hash chain, in whole checkpoints. Records are ' +
        'added to the chain within seconds. Not available to delegated users.',
      scope: 'audit:read',
      isForBankOnly: true,
      returns: IdentityVerification,
      args: {
        firstLine: integer('The first line to verify, starting at 1. Defaults to 1.').defaultsTo(1),
        lastLine: integer(
          'The last line to verify. If omitted, all lines from `firstLine` on are verified.',
        ).orNull(),
      },
      resolve: (context, range) =>
        verifyIdentityRecords(context.bank, range, realNow(), () => requireCallerWaits(context)),
    }),
  },
})
