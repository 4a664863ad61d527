import {
  type CreditDecision as DomainDecision,
  CreditDecision,
  CreditDecisionConnection,
  DecisionNotice,
} from '../model/decision.ts'
import { Ctx, FieldResolver, Query, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import type { DecisionNotice as DomainNotice } from '../domain/notice.ts'
import { loadDecision } from '../store/decision.ts'
import { listUnsentNotices, loadNotice } from '../store/notice.ts'
import { NotificationStub } from '../model/references.ts'

/** Resolves adverse action notices, both sent and pending. */
@Resolver(() => CreditDecision)
export class CreditDecisionNoticeResolver {
  @Requires('credit:decide')
  @Query(() => CreditDecisionConnection, {
    description:
      'Returns the credit decisions whose adverse action notice has not been sent yet, earliest ' +
      'deadline first.',
  })
  pendingAdverseActionNotices(
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainDecision>> {
    requireBank(context)
    return readPage(
      context,
      'pendingAdverseActionNotices',
      {},
      { first, after },
      async (key, take) => {
        const notices = await listUnsentNotices(context, key, take)
        const decisions = notices.map(({ decisionId }) => loadDecision(context, decisionId))
        return (await Promise.all(decisions)) as DomainDecision[]
      },
      ({ adverseActionNoticeDueBy, decisionId }) => [adverseActionNoticeDueBy!, decisionId],
    )
  }

  @FieldResolver(() => DecisionNotice, {
    nullable: true,
    description:
      'The adverse action notice to the applicant; null unless the decision is a decline or ' +
      'a counter-offer.',
  })
  notice(
    @Root() { decisionId, adverseActionNoticeDueBy }: DomainDecision,
    @Ctx() context: Context,
  ) {
    return adverseActionNoticeDueBy === null ? null : loadNotice(context, decisionId)
  }
}

@Resolver(() => DecisionNotice)
export class DecisionNoticeResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The problem code with which the latest attempt to send the notice failed; null if it did ' +
      'not fail, and for delegated users.',
  })
  refusal(@Root() { refusal }: DomainNotice, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? refusal : null
  }

  @FieldResolver(() => NotificationStub, {
    nullable: true,
    description: 'The notification that contains the notice; null until it is sent.',
  })
  notification(@Root() { notificationId }: DomainNotice): NotificationStub | null {
    return notificationId === null ? null : { notificationId }
  }
}
