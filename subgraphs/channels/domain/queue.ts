import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type { RoutingQueue } from '../model/setup.ts'

/**
 * The ID of the default queue, which is served by routing profiles that define no queues. The bank
 * can create a queue with this ID; otherwise it is created when a profile first uses it.
 */
export const defaultQueueId = 'que_default'

/** Returns the default queue as it is created automatically. */
export function newDefaultQueue(stamp: Versioned): RoutingQueue {
  return {
    ...stamp,
    queueId: defaultQueueId,
    name: 'Default',
    description: 'Work of routing profiles that have no queues of their own.',
  }
}
