import type { Versioned } from '../../_kernel/domain/versioned.ts'

/** A queue in which work of one kind waits for an agent. */
export interface Queue extends Versioned {
  queueId: string
  name: string
  description: string | null
}

/**
 * The id of the default queue, which routing profiles without queues of their own answer. A bank
 * can create the queue under this id itself; otherwise it is created when it is first used.
 */
export const defaultQueueId = 'que_default'

/** The default queue of a bank that has not created one. */
export function newDefaultQueue(made: Versioned): Queue {
  return {
    ...made,
    queueId: defaultQueueId,
    name: 'Default',
    description: 'Work of routing profiles that have no queues of their own.',
  }
}
