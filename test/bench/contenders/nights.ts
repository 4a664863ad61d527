import { buildSubgraphs } from '../../../gateway/compose.ts'
import { seedFixtures } from '../../../host/fixtures.ts'
import { serve } from '../../../host/serve.ts'
import { openPlatform } from './platform.ts'

// The platform as it ships, as a sandbox with its fixtures, because only the clock of a sandbox moves.
const { bank, graph, open, port, token } = await openPlatform(buildSubgraphs(), 'sandbox')
await seedFixtures(graph, bank)
await serve({ open, graph, host: '127.0.0.1', port, allowedOrigins: [] })
process.send!({ token })
