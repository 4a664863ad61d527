import { id, oneOf, string } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../../kernel/graph/transitions.ts'
import { retryLetters } from '../../commands/rate-resets/retry-letters.ts'
import { retriedLetter } from '../../domain/rate-resets/letter.ts'
import type { RateReset as RateResetRecord } from '../../domain/rate-resets/rate-reset.ts'
import { Facility } from '../../model/facilities/facility.ts'
import { DocumentStub, NotificationStub, Party } from '../../model/facilities/references.ts'
import { RateResetLetterState } from '../../model/rate-resets/enumerations.ts'
import { RateReset } from '../../model/rate-resets/rate-reset.ts'
import {
  RateResetLetter,
  RateResetLetterRetry,
  rateResetLetterStates,
} from '../../model/rate-resets/rate-reset-letter.ts'
import { loadFacility } from '../../store/facilities/facility.ts'
import {
  listLetters,
  loadLettersOfReset,
  loadRateResetLetter,
  rateResetLetterKind,
  rateResetLetterSortKey,
  resetKeyOf,
} from '../../store/rate-resets/rate-reset-letter.ts'

export const RateResetLetterOperations = resolverOf({
  queries: {
    rateResetLetter: lookup(RateResetLetter, {
      description: 'Returns a letter about a reset of a rate.',
      scope: 'lending:read',
      find: loadRateResetLetter,
    }),
    rateResetLetters: listing(RateResetLetter, {
      description:
        'Returns letters about resets of rates in the order of the resets. Not available to delegated ' +
        'users.',
      scope: 'lending:read',
      isForBankOnly: true,
      filters: {
        facilityId: id('Returns only letters about this facility.').orNull(),
        partyId: id('Returns only letters to this party.').orNull(),
        state: oneOf(RateResetLetterState, 'Returns only letters in this state.').orNull(),
      },
      sortKey: rateResetLetterSortKey,
      list: listLetters,
    }),
  },
  mutations: {
    ...transitionsOf(rateResetLetterStates, changeOf(rateResetLetterKind), {
      retryRateResetLetter: (after, { before }) => retriedLetter(after, before),
    }),
    retryRateResetLetters: operation({
      description:
        'Has letters about resets tried again, as `retryRateResetLetter` does: up to 100 per ' +
        'request, the least recently changed first. Not available to delegated users.',
      scope: 'lending:write',
      isForBankOnly: true,
      returns: RateResetLetterRetry,
      args: {
        state: oneOf(
          RateResetLetterState,
          'The state of the letters: `FAILED`, `UNDELIVERED` or `NOT_STORED`.',
        ),
        failureCode: string('Retries only letters with this problem code.').orNull(),
        facilityId: id('Retries only letters about this facility.').orNull(),
      },
      resolve: retryLetters,
    }),
  },
})

@Resolver(() => RateResetLetter)
export class RateResetLetterResolver {
  @FieldResolver(() => Facility, { nullable: true, description: 'The facility.' })
  facility(@Root() { facilityId }: RateResetLetter, @Ctx() context: Context) {
    return loadFacility(context, facilityId)
  }

  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The borrower or co-borrower to whom the letter is sent.',
  })
  party(@Root() { partyId }: RateResetLetter): Party {
    return { partyId }
  }

  @FieldResolver(() => NotificationStub, {
    nullable: true,
    description: 'The notification with which the letter is sent; null until it is created.',
  })
  notification(@Root() { notificationId }: RateResetLetter): NotificationStub | null {
    return notificationId === null ? null : { notificationId }
  }

  @FieldResolver(() => DocumentStub, {
    nullable: true,
    description: 'The letter as it was sent, in PDF/A; null until it is stored.',
  })
  document(@Root() { documentId }: RateResetLetter): DocumentStub | null {
    return documentId === null ? null : { documentId }
  }
}

@Resolver(() => RateReset)
export class RateResetLettersResolver {
  @FieldResolver(() => [RateResetLetter], {
    description:
      'The letters to the borrower and the co-borrowers; empty if the rate did not change, or if a ' +
      'later reset took effect on the same day. A party sees only its own, once it was sent.',
  })
  async letters(
    @Root() reset: RateResetRecord,
    @Ctx() context: Context,
  ): Promise<RateResetLetter[]> {
    return (await loadLettersOfReset(context, resetKeyOf(reset))) ?? []
  }
}
