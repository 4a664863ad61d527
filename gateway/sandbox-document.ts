/**
 * The initial document in Apollo Sandbox and GraphiQL. It uses records from the fixtures of the
 * sandbox.
 */
export const sandboxDocument = `# Set the header  authorization: Bearer <token>
# (npm run --silent token prints one), then run this against the sandbox.
query Ada {
  party(partyId: "pty_ada") {
    partyId
    displayName
    agreements(first: 2) {
      nodes { agreementId productCode status }
    }
    accounts { arrangementId state product { name version } }
  }
}

subscription Listen {
  businessEvents(types: ["notifications.*"]) {
    position
    type
    subject {
      ... on Notification { notificationId status party { displayName } }
    }
  }
}
`
