import { requireFound } from '../../../kernel/authorization/auth.ts'
import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { addTrustedPayee, removeTrustedPayee } from '../commands/trusted-payee.ts'
import { AddTrustedPayeeInput, TrustedPayee, TrustedPayeeStatus } from '../model/trusted-payee.ts'
import {
  listTrustedPayees,
  loadTrustedPayee,
  trustedPayees,
} from '../store/strong-authentication.ts'

export const TrustedPayeeOperations = resolverOf({
  queries: {
    trustedPayee: lookup(TrustedPayee, {
      description: 'Returns a trusted payee.',
      scope: 'postings:read',
      find: async (context, trustedPayeeId) =>
        requireFound(
          await loadTrustedPayee(context, trustedPayeeId),
          'TRUSTED_PAYEE_NOT_FOUND',
          trustedPayeeId,
        ),
    }),
    trustedPayees: listing(TrustedPayee, {
      description: 'Lists trusted payees in the order in which they were added.',
      scope: 'postings:read',
      filters: {
        status: oneOf(TrustedPayeeStatus, 'Returns only payees with this status.').orNull(),
      },
      list: listTrustedPayees,
      sortKey: trustedPayees.sortKey,
    }),
  },
  mutations: {
    addTrustedPayee: operation({
      description:
        'Adds a trusted payee, to whom the customer pays without approving each payment. The ' +
        'customer must have logged in with a passkey during the last five minutes. Only for ' +
        'delegated users: the bank trusts nobody on behalf of a customer.',
      scope: 'postings:write',
      returns: TrustedPayee,
      args: { input: object(AddTrustedPayeeInput, 'The payee to trust.') },
      resolve: (context, { input }) => addTrustedPayee(context, input),
    }),
    removeTrustedPayee: operation({
      description: 'Removes a trusted payee. Payments to it need an approval again.',
      scope: 'postings:write',
      returns: TrustedPayee,
      args: { trustedPayeeId: id('The ID of the trusted payee.') },
      resolve: (context, { trustedPayeeId }) => removeTrustedPayee(context, trustedPayeeId),
    }),
  },
})
