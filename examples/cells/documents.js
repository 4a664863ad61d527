/** What the carrier reads and posts. */
export const transferQuery = `query Transfer($id: ID!) {
  postingInstruction(postingInstructionId: $id) {
    amount { amount currency } counterparty remittanceInformation entries { account }
  }
}`

export const batchQuery = `query Batch($id: ID!) {
  postingInstructions(batchId: $id, first: 1) { nodes { status } }
}`

export const postMutation = `mutation Post($input: CreatePostingInstructionInput!) {
  createPostingInstruction(input: $input) { postingInstructionId }
}`
