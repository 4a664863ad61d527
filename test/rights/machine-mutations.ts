/**
 * Every mutation that a client may call for itself. The documented operations are among them. The
 * others record what happened or what a customer wants, prepare what a person then decides, or take
 * rights away, which must not wait for a person.
 */
export const machineMutations: Record<string, string> = {
  accounts: `
    activateAccountArrangement blockAccountArrangement cancelAccountArrangement
    cancelAccountArrangementClosure closeAccountArrangement markAccountArrangementDormant
    openAccountArrangement openDeposit proposeOverdraft proposeOverdraftWriteOff proposeSigningRule reactivateAccountArrangement rejectAccountArrangement
    requestAccountArrangementClosure unblockAccountArrangement`,
  assist: `
    closeAssistSession createAssistSession grantAssistConsent sendAssistMessage
    withdrawAssistConsent`,
  casework: `
    addCaseNote addDocumentVersion assignCase attachDocument closeCase linkCase openCase
    placeLegalHold reopenCase requestDocumentUpload resolveCase resumeCase startCase
    waitForCustomer withdrawCase`,
  channels: `
    abandonInteraction activateChannel activateRoutingProfile archiveRoutingProfile
    assignRelationshipManager completeInteraction createAgent createChannel createRoutingProfile
    createRoutingQueue deactivateChannel deactivateRoutingProfile linkInteractionToCase
    logInteraction requeueInteraction routeInteraction setAgentStatus updateAgent updateChannel
    updateRoutingProfile`,
  collections: `proposeCollectionsStrategy retryCollectionsStep
    retryCollectionsSteps`,
  collateral: `
    allocateCollateral createCollateral deallocateCollateral impairCollateral insureCollateral
    perfectCollateral recordLiquidation rejectCollateral releaseCollateral
    requestCollateralRelease restoreCollateral updateCollateral valueCollateral
    withdrawCollateralRelease`,
  events: `
    createEventSubscription deleteEventSubscription deleteWebhookEndpoint enableWebhookEndpoint
    pauseEventSubscription registerWebhookEndpoint replayWebhookDeliveries
    resumeEventSubscription rotateWebhookSecret testWebhookEndpoint`,
  fees: `collectFeeReceivables proposeFeeRefund resumeFeeRun startFeeRun`,
  'general-ledger': `
    proposeAccountingPeriodReopening proposeJournalEntry proposeMappingRule
    withdrawAccountingPeriodReopening`,
  interest: `
    accrueInterest accrueOverdraftInterest changeMaturityInstruction chargeOverdraftInterest
    createTermDeposit payOutInterest proposeInterestRateOverride`,
  lending: `
    applyExtraPayment cancelDrawdown cancelExtraPayment cancelFacility cancelHardshipRequest
    cancelPaymentHoliday cancelPromiseToPay changeSettlementAccount closeFacilityDays
    createDrawdown createExtraPayment createHardshipRequest createPaymentHoliday
    createPromiseToPay endPaymentHoliday openFacility proposeFacilityLoss
    proposeObligorRelease recordRepayment recoverFacility retryRateResetLetter
    retryRateResetLetters`,
  provisioning: `proposeProvisioningTable resumeProvisioningRun startProvisioningRun`,
  notifications: `
    activateNotificationTemplate cancelNotification createNotification
    createNotificationTemplate recordDeliveryReport reopenNotificationTemplate
    retireNotificationTemplate submitNotificationTemplate updateNotificationTemplate`,
  operations: `
    advanceClock disableOAuthClient disconnectApp endLogInSession revokeTokens runJob`,
  origination: `
    acceptLoanTerms answerCounterOffer createLoanApplication fulfillCondition
    recordCreditDecision returnLoanApplication startCreditReview submitCreditApplication
    withdrawLoanApplication`,
  parties: `
    activateCustomer addContactPoint cancelAgreement closeCustomer closeParty createAgreement
    createCustomer createParty failKyc grantEntitlement liftRestriction passKyc proposeAccountHolderRemoval
    reactivateCustomer recordDeath rejectAccountHolderRemoval removeContactPoint restrictProcessing resumeAgreement
    revokeEntitlement sendAgreementForSignature setConsent signAgreement startKyc
    suspendAgreement suspendCustomer terminateAgreement updateParty verifyContactPoint`,
  payments: `
    addTrustedPayee cancelPayment cancelStandingOrder createPostingInstruction
    createStandingOrder createTransfer declinePayment loadExchangeRates pauseStandingOrder
    proposeBalanceCorrection removeTrustedPayee resumeStandingOrder signPayment simulateIncomingPayment`,
  privacy: `proposeErasure requestDataExport`,
  products: `
    acceptProductOffer activateCampaign activateProduct createCampaign createPricingQuote
    createProduct createProductOffer createReferenceRate endCampaign proposeSelfServiceSetting publishProductOffer
    recordReferenceRateFixings resumeProduct retireProduct suspendProduct withdrawCampaign withdrawProduct withdrawProductOffer`,
  staff: `suspendEmployee`,
}
