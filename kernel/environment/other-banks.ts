import type { Bank } from './bank.ts'
import { Problem } from '../domain/problem.ts'

/**
 * Whether the environment simulates external systems such as payment rails. Only the sandbox does.
 */
export function isSimulating({ environment }: Pick<Bank, 'environment'>): boolean {
  return environment === 'sandbox'
}

/**
 * Returns the code and the detail for the rejection of payments to other banks; null if this
 * environment supports them. No setting can connect a rail: a connection needs code for the network
 * of a payment scheme, and this release contains only a simulated rail.
 */
export function otherBanksProblem(bank: Pick<Bank, 'environment'>) {
  if (isSimulating(bank)) return null
  const detail =
    'This bank is not connected to other banks: this release cannot connect to a payment rail. ' +
    'Only the sandbox simulates a rail. Pay to an account of this bank instead.'
  return { code: 'RAIL_NOT_CONFIGURED', detail } as const
}

/** Throws RAIL_NOT_CONFIGURED if the environment cannot pay accounts of other banks. */
export function requireOtherBanks(bank: Pick<Bank, 'environment'>, pointer: string): void {
  const problem = otherBanksProblem(bank)
  if (!problem) return
  const { code, detail } = problem
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
