/** The phases of the nightly run in the order in which they are shown. */
export const nightlyPhases = [
  'validity',
  'payments',
  'interest',
  'loans',
  'collections',
  'fees',
  'provisions',
] as const
export type NightlyPhase = (typeof nightlyPhases)[number]
