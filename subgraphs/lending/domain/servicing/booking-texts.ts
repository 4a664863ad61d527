/**
 * The texts of bookings that the statement of a facility recognizes in the ledger. They must not change,
 * because earlier postings have them.
 */
export const bookingTexts = {
  capitalizedArrears: 'Arrears added to principal',
  reallocation: 'Extra payments reallocated after a schedule change',
  waiver: 'Late charges waived',
} as const
