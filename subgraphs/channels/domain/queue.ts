import type { Versioned } from '../../_kernel/domain/versioned.ts'

/** Where work of one sort waits for whoever answers it. */
export interface Queue extends Versioned {
  queueId: string
  name: string
  description: string | null
}
