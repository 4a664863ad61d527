import type { TokenVerifier } from '../../../kernel/authorization/token.ts'
import { startPlatform } from './platform.ts'

// The platform without the verification of tokens: everybody is the caller of its own token.
const { bank, token } = await startPlatform()
const caller = await bank.verifier.verify(`Bearer ${token}`)
const trusting: TokenVerifier = { verify: () => caller, verifyWithoutProof: () => caller }
Object.assign(bank, { verifier: trusting })
process.send!({ token })
