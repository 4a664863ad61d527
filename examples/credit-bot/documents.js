/** What the bot reads and writes in the graph. */
export const applicationQuery = `query Application($id: ID!) {
  loanApplication(applicationId: $id) {
    applicationId status termMonths employedMonths
    requestedAmount { amount currency }
    monthlyIncome { amount }
    monthlyObligations { amount }
    recommendation { outcome policyVersion score { value cutoff } rules { rule result } }
  }
}`

export const noteMutation = `mutation AddBriefing($caseId: ID!, $text: Text!) {
  addCaseNote(caseId: $caseId, text: $text) { caseId }
}`
