import type { Bank } from './bank.ts'
import { Problem } from './domain/problem.ts'

/** Whether the environment stands in for the world outside the bank. Only the sandbox does. */
export function isSimulating({ environment }: Pick<Bank, 'environment'>): boolean {
  return environment === 'sandbox'
}

/**
 * Why no money leaves for another bank in this environment; null where it may. A rail is a program
 * against a scheme's network, not a setting, and this release contains only a simulated one.
 */
export function missingOtherBanks(bank: Pick<Bank, 'environment'>) {
  if (isSimulating(bank)) return null
  const detail =
    'This bank is not connected to other banks: this release has no setting that connects a ' +
    'payment rail, and simulates one in the sandbox only. Pay to an account of this bank.'
  return { code: 'RAIL_NOT_CONFIGURED', detail } as const
}

/** Refuses with RAIL_NOT_CONFIGURED to pay another bank's account that the environment cannot reach. */
export function requireOtherBanks(bank: Pick<Bank, 'environment'>, pointer: string): void {
  const missing = missingOtherBanks(bank)
  if (!missing) return
  const { code, detail } = missing
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
