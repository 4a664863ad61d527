import { startPlatform } from './platform.ts'

const { token } = await startPlatform()
process.send!({ token })
