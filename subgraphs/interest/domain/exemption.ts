import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { TaxExemption } from '../model/tax-exemption.ts'
import { isValidOn } from './terms.ts'

/** Whether one of the exemptions of an account applies on a day. */
export function isExempt(exemptions: readonly TaxExemption[], day: LocalDate): boolean {
  return exemptions.some(
    (exemption) =>
      isValidOn(exemption, day) && (exemption.revokedOn === null || day < exemption.revokedOn),
  )
}
