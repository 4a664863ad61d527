import type { Reason } from '../model/credit-policy.ts'
import { Problem } from './problems.ts'

/**
 * The principal reasons of sample form C-1 (12 CFR Part 1002, Regulation B, Appendix C), in the
 * order and the wording of the form.
 */
export const principalReasons = {
  'application-incomplete': 'Credit application incomplete',
  'references-insufficient': 'Insufficient number of credit references provided',
  'references-unacceptable': 'Unacceptable type of credit references provided',
  'references-unverified': 'Unable to verify credit references',
  'employment-irregular': 'Temporary or irregular employment',
  'employment-unverified': 'Unable to verify employment',
  'employment-length': 'Length of employment',
  'income-insufficient': 'Income insufficient for amount of credit requested',
  'obligations-excessive': 'Excessive obligations in relation to income',
  'income-unverified': 'Unable to verify income',
  'residence-length': 'Length of residence',
  'residence-temporary': 'Temporary residence',
  'residence-unverified': 'Unable to verify residence',
  'no-credit-file': 'No credit file',
  'credit-experience-limited': 'Limited credit experience',
  'performance-with-us-poor': 'Poor credit performance with us',
  'obligations-delinquent': 'Delinquent past or present credit obligations with others',
  'collection-or-judgment': 'Collection action or judgment',
  'garnishment-or-attachment': 'Garnishment or attachment',
  'foreclosure-or-repossession': 'Foreclosure or repossession',
  bankruptcy: 'Bankruptcy',
  'recent-inquiries': 'Number of recent inquiries on credit bureau report',
  'collateral-insufficient': 'Value or type of collateral not sufficient',
} as const
export type PrincipalReason = keyof typeof principalReasons

const maxReasons = 4

/**
 * Returns the reasons as the applicant receives them. A listed code has its standard text unless
 * the decider sends another; any other code needs a text.
 * Throws DECLINE_REASONS_REQUIRED if a required reason is missing, if there are more than four
 * reasons, or if a code that is not listed has no text.
 */
export function readReasons(
  sentReasons: readonly { code: string; text?: string | null }[],
  areRequired: boolean,
): Reason[] {
  if (sentReasons.length > maxReasons || (areRequired && sentReasons.length === 0)) {
    throw reasonsProblem(
      '/reasons',
      `Give one to ${maxReasons} principal reasons, the most important first.`,
    )
  }
  return sentReasons.map(({ code, text }, index) => {
    const name = code.toLowerCase().replaceAll('_', '-')
    if (Object.hasOwn(principalReasons, name)) {
      return { code: name, text: text ?? principalReasons[name as PrincipalReason] }
    }
    if (text) return { code: name, text }
    throw reasonsProblem(
      `/reasons/${index}/code`,
      'A code that is not on the list of principal reasons must come with a text.',
    )
  })
}

function reasonsProblem(pointer: string, detail: string): Problem {
  const code = 'DECLINE_REASONS_REQUIRED'
  const allowed = Object.keys(principalReasons)
  return new Problem(code, { detail, errors: [{ pointer, code, detail, allowed }] })
}
