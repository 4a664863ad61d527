/** A request of the collections: an operation of the contract, and what makes it run. */
export interface Step {
  operationId: string
  /** The name of the example that is sent. Default: the first. */
  example?: string
  /** Values of the example that must be new in each run, with what replaces them. */
  replacements?: Readonly<Record<string, string>>
  /** The variables that the response sets, with the member that has the value. */
  captures?: Readonly<Record<string, string>>
}

/**
 * The operations in the order in which a run sends them. An operation comes after those whose
 * records it uses. A test compares the list with the served operations.
 */
export const runOrder: readonly Step[] = [
  { operationId: 'listProductOffers' },
  { operationId: 'createProduct', replacements: { prd_students: 'prd_{{$guid}}' } },
  { operationId: 'openAccount', captures: { newArrangementId: 'arrangementId' } },
  { operationId: 'listAccounts' },
  {
    operationId: 'createPostingInstruction',
    replacements: { arr_ada_savings: '{{newArrangementId}}' },
  },
  { operationId: 'createCollateral' },
  {
    operationId: 'submitCreditApplication',
    example: 'complete',
    replacements: { app_draft: 'app_{{$guid}}' },
  },
  // Whoever submitted an application cannot decide on it, so this is another one.
  {
    operationId: 'recordCreditDecision',
    captures: { approvedApplicationId: 'applicationId' },
  },
  { operationId: 'acceptLoanTerms' },
  { operationId: 'createDrawdown' },
  { operationId: 'createExtraPayment' },
  { operationId: 'createPaymentHoliday' },
  { operationId: 'createHardshipRequest' },
  { operationId: 'createAssistSession', captures: { sessionId: 'sessionId' } },
  { operationId: 'sendAssistMessage' },
  {
    operationId: 'createRoutingProfile',
    replacements: { 'Night desk': 'Night desk {{$guid}}' },
  },
  { operationId: 'createEventSubscription' },
  { operationId: 'createNotificationTemplate' },
  { operationId: 'createNotification' },
  { operationId: 'listAgreements' },
  { operationId: 'listFeeRuns' },
]

/**
 * The variables of the collections, with the record of the sandbox that each names at first. A record
 * that an operation can use only once is new each time: the sandbox creates it.
 */
export const recordVariables: Readonly<Record<string, { fixture: string; value?: string }>> = {
  customerId: { fixture: 'cus_ada' },
  partyId: { fixture: 'pty_ada' },
  productId: { fixture: 'prd_savings' },
  arrangementId: { fixture: 'arr_ada_current' },
  newArrangementId: { fixture: 'arr_ada_savings' },
  quoteId: { fixture: 'quo_consumer_loan' },
  submittedApplicationId: { fixture: 'app_submitted', value: 'app_{{$guid}}' },
  approvedApplicationId: { fixture: 'app_approved' },
  facilityId: { fixture: 'fac_ada', value: 'fac_{{$guid}}' },
  loanId: { fixture: 'loan_ada', value: 'loan_{{$guid}}' },
  sessionId: { fixture: 'ses_ada' },
  templateCode: { fixture: 'tpl_welcome' },
}
