import { Problem } from '../../_kernel/domain/problem.ts'

/**
 * The principal reasons of the sample notification C-1 (12 CFR Part 1002, Regulation B, appendix
 * C), in its order, with its words.
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

const mostReasons = 4

/** A reason for a decision: a code, and the text stated to the applicant. */
export interface Reason {
  code: string
  text: string
}

/**
 * The reasons as stated to the applicant: a listed code has its standard text, any other code needs
 * its own. Rejects with DECLINE_REASONS_REQUIRED when a required reason is missing, for more than
 * four, and for a code without a text.
 */
export function readReasons(
  asked: readonly { code: string; text?: string | null }[],
  isNeeded: boolean,
): Reason[] {
  if (asked.length > mostReasons || (isNeeded && asked.length === 0)) {
    throw refusal(
      '/reasons',
      `Give one to ${mostReasons} principal reasons, the most important first.`,
    )
  }
  return asked.map(({ code, text }, at) => {
    const name = code.toLowerCase().replaceAll('_', '-')
    if (Object.hasOwn(principalReasons, name)) {
      return { code: name, text: text ?? principalReasons[name as PrincipalReason] }
    }
    if (text) return { code: name, text }
    throw refusal(
      `/reasons/${at}/code`,
      'A code that is not on the list of principal reasons must come with a text.',
    )
  })
}

function refusal(pointer: string, detail: string): Problem {
  const code = 'DECLINE_REASONS_REQUIRED'
  const allowed = Object.keys(principalReasons)
  return new Problem(code, { detail, errors: [{ pointer, code, detail, allowed }] })
}
