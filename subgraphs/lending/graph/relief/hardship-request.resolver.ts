import { requireFound } from '../../../../kernel/authorization/auth.ts'
import { id, object, oneOf } from '../../../../kernel/domain/model.ts'
import { listing, lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import * as commands from '../../commands/relief/hardship-request.ts'
import { HardshipStatus } from '../../model/relief/enumerations.ts'
import {
  CreateHardshipRequestInput,
  HardshipReliefInput,
  ReviewHardshipRequestInput,
} from '../../model/relief/hardship-request-inputs.ts'
import { HardshipReliefPreview, HardshipRequest } from '../../model/relief/hardship-request.ts'
import {
  hardshipSortKey,
  listHardshipRequests,
  loadHardshipRequest,
} from '../../store/relief/hardship-request.ts'
import { hardshipRequestOut, reliefPreviewOut } from './relief-out.ts'

const hardshipRequestId = id('The ID of the hardship request.')

export const HardshipRequestOperations = resolverOf({
  queries: {
    hardshipRequest: lookup(HardshipRequest, {
      description: 'Returns a hardship request.',
      scope: 'lending:read',
      isNullable: true,
      async find(context, id) {
        const found = await loadHardshipRequest(context, id)
        return hardshipRequestOut(requireFound(found, 'HARDSHIP_REQUEST_NOT_FOUND', id))
      },
    }),
    hardshipRequests: listing(HardshipRequest, {
      description: 'Lists hardship requests in the order in which they were submitted.',
      scope: 'lending:read',
      filters: {
        loanId: id('Returns only requests for this loan.').orNull(),
        status: oneOf(HardshipStatus, 'Returns only requests in this state.').orNull(),
      },
      list: async (context, filter, after, take) =>
        (await listHardshipRequests(context, filter, after, take)).map(hardshipRequestOut),
      sortKey: hardshipSortKey,
    }),
    hardshipReliefPreview: operation({
      description:
        'Returns the effects that approving a hardship request would have. Nothing is stored.',
      scope: 'lending:read',
      returns: HardshipReliefPreview,
      args: {
        hardshipRequestId,
        relief: object(HardshipReliefInput, 'The relief to preview.'),
      },
      resolve: async (context, args) =>
        reliefPreviewOut(
          await commands.previewRelief(context, args.hardshipRequestId, args.relief),
        ),
    }),
  },
  mutations: {
    createHardshipRequest: operation({
      description:
        'Submits a hardship request for a loan. A case for the request is opened shortly ' +
        'afterwards.',
      scope: 'lending:write',
      returns: HardshipRequest,
      args: { input: object(CreateHardshipRequestInput, 'The request to submit.') },
      resolve: async (context, { input }) =>
        hardshipRequestOut(await commands.createHardshipRequest(context, input)),
    }),
    reviewHardshipRequest: operation({
      description:
        'Starts the review of a hardship request, approves it or declines it. The person who ' +
        'submitted the request cannot approve or decline it. Not available to delegated users.',
      scope: 'lending:write',
      returns: HardshipRequest,
      args: {
        input: object(
          ReviewHardshipRequestInput,
          'The request to review, and the action of the reviewer.',
        ),
      },
      resolve: async (context, { input }) =>
        hardshipRequestOut(await commands.reviewHardshipRequest(context, input)),
    }),
    cancelHardshipRequest: operation({
      description: 'Withdraws a hardship request that has not been decided.',
      scope: 'lending:write',
      returns: HardshipRequest,
      args: { hardshipRequestId },
      resolve: async (context, args) =>
        hardshipRequestOut(await commands.cancelHardshipRequest(context, args.hardshipRequestId)),
    }),
  },
})
