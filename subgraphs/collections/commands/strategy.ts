import { bankCaller, requireBank } from '../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { requireStrategy } from '../domain/strategy-rules.ts'
import type { CollectionsStrategy, ProposeCollectionsStrategyInput } from '../model/strategy.ts'
import { strategyKind } from '../store/strategy.ts'

/**
 * Proposes a strategy, which another person has to approve. Throws NOT_FOR_DELEGATED_USERS,
 * COLLECTIONS_STRATEGY_INVALID, PRODUCT_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND and RESOURCE_EXISTS.
 */
export async function proposeStrategy(
  context: Context,
  input: ProposeCollectionsStrategyInput,
): Promise<CollectionsStrategy> {
  requireBank(context)
  const { collectionsStrategyId, reason, effectiveFrom, ...proposal } = input
  const operation = 'proposeCollectionsStrategy'
  return createRecord(
    context,
    strategyKind,
    operation,
    input,
    collectionsStrategyId,
    async (stamp) => {
      const strategy = requireStrategy(proposal)
      await requireReferences(context, strategy)
      return {
        record: {
          ...versioned(stamp),
          ...strategy,
          collectionsStrategyId: stamp.id,
          effectiveFrom: effectiveFrom ?? dateOf(stamp.now),
          status: 'proposed',
          reason,
          proposedBy: context.caller.subject,
          decidedBy: null,
          decidedAt: null,
        },
      }
    },
  )
}

async function requireReferences(
  context: Context,
  { productId, steps }: Pick<CollectionsStrategy, 'productId' | 'steps'>,
): Promise<void> {
  if (productId !== null) {
    const [product] = await readFacts(context, [`product/${productId}`])
    if (!product) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
  }
  const profiles = await readFacts(
    context,
    steps.map(({ routingProfileId }) => `routing-profile/${routingProfileId}`),
  )
  steps.forEach(({ routingProfileId }, index) => {
    if (routingProfileId === null || profiles[index]) return
    const pointer = `/steps/${index}/routingProfileId`
    throw missingReference('ROUTING_PROFILE_NOT_FOUND', routingProfileId, pointer)
  })
}

/** Checks that the caller did not propose the strategy. Throws SEGREGATION_OF_DUTIES. */
export async function requireOtherProposer(
  context: Context,
  { collectionsStrategyId: resourceId, proposedBy }: CollectionsStrategy,
): Promise<void> {
  // The fixtures of the sandbox are part of the program and are reviewed with its code.
  if (context.caller === bankCaller) return
  const detail = 'The person who proposed a collections strategy cannot decide on it.'
  await requireAnotherPerson(context, [proposedBy], { resourceId, detail })
}
