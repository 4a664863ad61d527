import { startPlatform } from './platform.ts'
import { work, type WorkRequest } from './transfers.ts'

// One of several processes of the platform that post on the same accounts, each time a message asks for it.
const { bank, token } = await startPlatform()
process.on(
  'message',
  (request: WorkRequest) => void work(bank, request).then((figure) => process.send!(figure)),
)
process.send!({ token })
