import { startPlatform } from './platform.ts'
import { grown } from '../growth-data.ts'

// The platform as it ships, with a token of the bank and one of a customer.
const { token, issueToken } = await startPlatform()
process.send!({ token, tokens: [token, issueToken('bench', grown.partyId)] })
