import type { Versioned } from '../../_kernel/domain/versioned.ts'

/** A queue in which work of one kind waits for an agent. */
export interface Queue extends Versioned {
  queueId: string
  name: string
  description: string | null
}
