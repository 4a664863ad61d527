import { roundHalfEven } from '../../../kernel/domain/rational.ts'
import { wholePercent } from './percent.ts'

/** What a bank could lose with one facility, in minor units. */
export interface Exposure {
  principalMinor: bigint
  /** Interest that has accrued, due or not. */
  interestMinor: bigint
  /** The part of the limit that can still be drawn. */
  undrawnMinor: bigint
  /** The collateral allocated to the facility, after haircuts. */
  collateralMinor: bigint
}

/** The risk parameters of a segment in a stage, in ten-thousandths of a percent. */
export interface RiskRates {
  /** The probability of default: of twelve months in stage 1, of the lifetime in stages 2 and 3. */
  pd: bigint
  /** The loss given default of the part that no collateral covers. */
  lgd: bigint
  /** The loss given default of the part that collateral covers. */
  securedLgd: bigint
  /** The part of the undrawn limit that is expected to be drawn before a default. */
  creditConversion: bigint
  /** The management overlay, which is added to the loss: 10 % more, or -10 % for less. */
  overlay: bigint
}

/** An expected credit loss, in minor units, with the loss given default that it was computed with. */
export interface CreditLoss {
  /** The exposure at default. */
  exposureMinor: bigint
  /** The loss given default of the whole exposure, in ten-thousandths of a percent. */
  lgd: bigint
  /** The expected credit loss before the overlay. */
  expectedLossMinor: bigint
  /** The loss allowance: the expected credit loss with the overlay, at most the exposure. */
  allowanceMinor: bigint
}

/**
 * Computes the expected credit loss of a facility: PD × LGD × EAD (IFRS 9, 5.5.3, 5.5.5 and 5.5.17).
 * EAD is the amount owed plus the converted part of the undrawn limit (B5.5.31). Collateral reduces
 * LGD (B5.5.55): LGD = LGD_U × (EAD - C) / EAD + LGD_S × C / EAD, with C at most EAD, as in article
 * 230 of Regulation (EU) 575/2013. The rates must already include the time value of money.
 *
 * The calculation is exact; each result is rounded once, half to even. No rate may be negative,
 * except the overlay, which is at least -100 %.
 */
export function expectedCreditLoss(exposure: Exposure, rates: RiskRates): CreditLoss {
  const { principalMinor, interestMinor, undrawnMinor, collateralMinor } = exposure
  // Exposures here are in minor units times `wholePercent`.
  const ead =
    (principalMinor + interestMinor) * wholePercent + undrawnMinor * rates.creditConversion
  const collateral = collateralMinor * wholePercent
  const secured = collateral < ead ? collateral : ead
  const lossGivenDefault = rates.lgd * (ead - secured) + rates.securedLgd * secured
  const loss = rates.pd * lossGivenDefault
  const scale = wholePercent ** 3n
  const exposureMinor = roundHalfEven(ead, wholePercent)
  const withOverlay = roundHalfEven(loss * (wholePercent + rates.overlay), scale * wholePercent)
  return {
    exposureMinor,
    lgd: ead === 0n ? rates.lgd : roundHalfEven(lossGivenDefault, ead),
    expectedLossMinor: roundHalfEven(loss, scale),
    allowanceMinor: withOverlay < exposureMinor ? withOverlay : exposureMinor,
  }
}
