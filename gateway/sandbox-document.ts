/** What Apollo Sandbox and GraphiQL show first. It runs on the sandbox's fixtures. */
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
