/**
 * The principal reasons for declining credit, as an applicant learns them: form C-1 of Regulation B
 * (12 CFR Part 1002, Appendix C). The bank adds the text of a code.
 */
export const declineReasons = [
  { value: 'income-insufficient', label: 'Income insufficient for amount of credit requested' },
  { value: 'obligations-excessive', label: 'Excessive obligations in relation to income' },
  { value: 'employment-length', label: 'Length of employment' },
  { value: 'employment-irregular', label: 'Temporary or irregular employment' },
  { value: 'employment-unverified', label: 'Unable to verify employment' },
  { value: 'income-unverified', label: 'Unable to verify income' },
  { value: 'residence-unverified', label: 'Unable to verify residence' },
  { value: 'application-incomplete', label: 'Credit application incomplete' },
  { value: 'no-credit-file', label: 'No credit file' },
  { value: 'credit-experience-limited', label: 'Limited credit experience' },
  { value: 'performance-with-us-poor', label: 'Poor credit performance with us' },
  { value: 'obligations-delinquent', label: 'Delinquent credit obligations with others' },
  { value: 'collection-or-judgment', label: 'Collection action or judgment' },
  { value: 'bankruptcy', label: 'Bankruptcy' },
  { value: 'collateral-insufficient', label: 'Value or type of collateral not sufficient' },
]
