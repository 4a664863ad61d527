import type { ContractName } from '../../kernel/domain/contract-versions.ts'

/** A difference between the released copy of a contract and the contract as it is now. */
export interface Change {
  contract: ContractName
  /** Whether a client that follows the released contract can fail. */
  isBreaking: boolean
  /** What changed, as one sentence. It identifies the change. */
  message: string
}

/** A breaking change that was decided and explained, although the major version stays the same. */
export interface Exemption {
  contract: ContractName
  /** The message of the change. */
  change: string
  /** Why no client fails, or why it must. */
  reason: string
}
