import type { Worker } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import { offerAt } from '../domain/offer.ts'
import { publish } from '../commands/offer.ts'
import { findOverdueOffers, writeExpiredOffers } from '../store/offer.ts'

const batchSize = 200

/** Expires published offers after `validTo`. */
export const expireOffers: Worker = {
  name: 'products.expire-offers',
  nightlyPhase: 'validity',
  followsClock: true,
  purpose: 'Expires published offers whose validity has ended.',
  everyMs: 60_000,
  run: (context) =>
    command(context, 'expireOffers', {}, async () => {
      const now = context.now()
      const overdueOffers = await findOverdueOffers(context, now, batchSize)
      if (overdueOffers.length === 0) return { result: 0 }
      const publications = overdueOffers.map((offer) => {
        const expiredOffer = { ...offerAt(offer, now), version: offer.version + 1, updatedAt: now }
        return publish(expiredOffer, 'products.offer.expired')
      })
      return {
        result: overdueOffers.length,
        writes: [writeExpiredOffers(overdueOffers, now)],
        events: publications.flatMap(({ events }) => events),
        facts: publications.flatMap(({ facts }) => facts),
      }
    }),
}
