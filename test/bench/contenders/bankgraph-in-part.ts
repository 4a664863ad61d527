import type { TokenVerifier } from '../../../kernel/authorization/token.ts'
import { startPlatform } from './platform.ts'

// The platform, which leaves out a part of its work after a message that names it: 'all' is the platform as it
// ships, 'without verification' takes everybody for the caller of its own token, and 'without log' does
// not log requests. One process is compared with itself, because two processes of the same program
// differ by more than such a part costs.
const { bank, token } = await startPlatform()
const caller = await bank.verifier.verify(`Bearer ${token}`)
const ships = { verifier: bank.verifier, config: bank.config }
const trusting: TokenVerifier = { verify: () => caller, verifyWithoutProof: () => caller }
const modes: Record<string, Partial<typeof ships>> = {
  all: ships,
  'without verification': { verifier: trusting },
  'without log': { config: { ...bank.config, isRequestLogOn: false } },
}
process.on('message', (mode) => Object.assign(bank, modes[mode as string]))
process.send!({ token })
