/** What the export reads from the graph. */
export const nowQuery = 'query Now { environment { now } }'

export const accountsQuery = `query AccountsOfDay($day: Date!, $first: Int!, $after: String) {
  accountArrangements(first: $first, after: $after) {
    nodes {
      arrangementId accountNumber currency
      statement(from: $day, to: $day) {
        openingBalance closingBalance
        entries { entryId postingInstructionId side amount balanceAfter bookedAt valueDate }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}`

export const turnoverQuery = `query Turnover($before: DateTime!, $after: DateTime!) {
  before: trialBalances(asOf: $before) { currency accounts { code debit credit } }
  after: trialBalances(asOf: $after) { currency accounts { code debit credit } }
}`
