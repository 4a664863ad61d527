import { startEmbeddedPostgres } from '../../../host/embedded-postgres.ts'

// Holds a database until it is killed. Prints the connection string once it is up.
const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2]!, log: () => undefined })
console.log(`${postgres.url('postgres')} ${postgres.pid()}`)
setInterval(() => undefined, 1000)
