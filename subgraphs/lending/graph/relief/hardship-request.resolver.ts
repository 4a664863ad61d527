import { requireFound } from '../../../../kernel/authorization/auth.ts'
import { id, object, oneOf } from '../../../../kernel/domain/model.ts'
import { FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../../kernel/graph/transitions.ts'
import * as commands from '../../commands/relief/hardship-request.ts'
import { HardshipStatus } from '../../model/relief/enumerations.ts'
import {
  CreateHardshipRequestInput,
  HardshipReliefInput,
  ReviewHardshipRequestInput,
} from '../../model/relief/hardship-request-inputs.ts'
import { CaseStub } from '../../model/facilities/references.ts'
import {
  HardshipReliefPreview,
  HardshipRequest,
  hardshipStates,
} from '../../model/relief/hardship-request.ts'
import { ScheduleFigures } from '../../model/schedules/facility-schedule.ts'
import {
  hardshipKind,
  hardshipSortKey,
  listHardshipRequests,
  loadHardshipRequest,
} from '../../store/relief/hardship-request.ts'
import { figuresOut } from '../facilities/facility-out.ts'
import { reliefPreviewOut } from './relief-out.ts'

const hardshipRequestId = id('The ID of the hardship request.')

export const HardshipRequestOperations = resolverOf({
  queries: {
    hardshipRequest: lookup(HardshipRequest, {
      description: 'Returns a hardship request.',
      scope: 'lending:read',
      find: async (context, id) =>
        requireFound(await loadHardshipRequest(context, id), 'HARDSHIP_REQUEST_NOT_FOUND', id),
    }),
    hardshipRequests: listing(HardshipRequest, {
      description: 'Lists hardship requests in the order in which they were submitted.',
      scope: 'lending:read',
      filters: {
        loanId: id('Returns only requests for this loan.').orNull(),
        status: oneOf(HardshipStatus, 'Returns only requests in this state.').orNull(),
      },
      list: listHardshipRequests,
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
      resolve: (context, { input }) => commands.createHardshipRequest(context, input),
    }),
    reviewHardshipRequest: operation({
      description:
        'Starts the review of a hardship request, approves it or declines it. The person who ' +
        'submitted the request cannot approve or decline it. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: HardshipRequest,
      args: {
        input: object(
          ReviewHardshipRequestInput,
          'The request to review, and the action of the reviewer.',
        ),
      },
      resolve: (context, { input }) => commands.reviewHardshipRequest(context, input),
    }),
    ...transitionsOf(hardshipStates, changeOf(hardshipKind)),
  },
})

@Resolver(() => HardshipRequest)
export class HardshipRequestResolver {
  @FieldResolver(() => CaseStub, {
    nullable: true,
    description:
      'The case in which the request is handled; null until the case is opened, and if it could ' +
      'not be opened.',
  })
  case(@Root() { caseState, caseId }: HardshipRequest): CaseStub | null {
    return caseState === 'opened' ? { caseId } : null
  }

  @FieldResolver(() => ScheduleFigures, {
    nullable: true,
    description:
      'The key figures of the schedule before the relief; null unless the request is approved.',
  })
  before(@Root() { effect, currency }: HardshipRequest): ScheduleFigures | null {
    return effect && figuresOut(effect.before, currency)
  }

  @FieldResolver(() => ScheduleFigures, {
    nullable: true,
    description:
      'The key figures of the schedule after the relief; null unless the request is approved.',
  })
  after(@Root() { effect, currency }: HardshipRequest): ScheduleFigures | null {
    return effect && figuresOut(effect.after, currency)
  }
}
