import { internal } from './internal/rail.ts'
import type { PaymentRail } from './payment-rail.ts'
import { sct } from './sct/rail.ts'

/** All rails, in order of preference. A payment uses the first rail that reaches its creditor. */
export const rails: readonly PaymentRail[] = [internal, sct]

export const railNames: readonly string[] = rails.map(({ name }) => name)

/** The names of the rails over which money leaves the bank. */
export const outboundRailNames: readonly string[] = rails
  .filter(({ leavesOn }) => leavesOn !== null)
  .map(({ name }) => name)

/** Returns the rail with a name. Throws an error if there is none. */
export function railOf(name: string): PaymentRail {
  const rail = rails.find((each) => each.name === name)
  if (!rail) throw new Error(`No payment rail is named ${name}.`)
  return rail
}
