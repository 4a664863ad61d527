import { CreditDecision, DecisionNotice } from '../model/decision.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { listing, resolverOf } from '../../../kernel/graph/operations.ts'
import { loadDecision } from '../store/decision.ts'
import { listUnsentNotices, loadNotice } from '../store/notice.ts'
import { NotificationStub } from '../model/references.ts'

export const NoticeOperations = resolverOf({
  queries: {
    pendingAdverseActionNotices: listing(CreditDecision, {
      description:
        'Returns the credit decisions whose adverse action notice has not been sent yet, earliest ' +
        'deadline first.',
      scope: 'credit:decide',
      isForBankOnly: true,
      async list(context, _filters, after, take) {
        const notices = await listUnsentNotices(context, after, take)
        const decisions = notices.map(({ decisionId }) => loadDecision(context, decisionId))
        return (await Promise.all(decisions)) as CreditDecision[]
      },
      sortKey: ({ adverseActionNoticeDueBy, decisionId }) => [
        adverseActionNoticeDueBy!,
        decisionId,
      ],
    }),
  },
})

/** Resolves adverse action notices, both sent and pending. */
@Resolver(() => CreditDecision)
export class CreditDecisionNoticeResolver {
  @FieldResolver(() => DecisionNotice, {
    nullable: true,
    description:
      'The adverse action notice to the applicant; null unless the decision is a decline or ' +
      'a counter-offer.',
  })
  notice(
    @Root() { decisionId, adverseActionNoticeDueBy }: CreditDecision,
    @Ctx() context: Context,
  ) {
    return adverseActionNoticeDueBy === null ? null : loadNotice(context, decisionId)
  }
}

@Resolver(() => DecisionNotice)
export class DecisionNoticeResolver {
  @FieldResolver(() => NotificationStub, {
    nullable: true,
    description: 'The notification that contains the notice; null until it is sent.',
  })
  notification(@Root() { notificationId }: DecisionNotice): NotificationStub | null {
    return notificationId === null ? null : { notificationId }
  }
}
