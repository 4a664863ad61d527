import { startPlatform } from './platform.ts'

// The platform as it ships, for more listeners than one client may have.
const { token, issueToken } = await startPlatform()
process.send!({
  token,
  tokens: ['bench-1', 'bench-2', 'bench-3'].map((clientId) => issueToken(clientId)),
})
