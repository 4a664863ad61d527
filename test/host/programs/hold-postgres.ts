import { startEmbeddedPostgres } from '../../../host/embedded-postgres.ts'

// Keeps a database running until this process is killed. Prints the connection string and the
// server's process id.
const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2]!, log: () => undefined })
console.log(`${postgres.url('postgres')} ${postgres.pid()}`)
setInterval(() => undefined, 1000)
