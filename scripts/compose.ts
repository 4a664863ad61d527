import { readFileSync, writeFileSync } from 'node:fs'
import { apiSchemaPath, buildSubgraphs, compose, supergraphPath } from '../gateway/compose.ts'

// Writes the graph's contract; with `--check` only compares, and fails when the committed files drifted.
const { supergraph, apiSchema } = compose(buildSubgraphs())
const files = [
  [supergraphPath, supergraph],
  [apiSchemaPath, apiSchema],
] as const
const isCheck = process.argv.includes('--check')
for (const [path, text] of files) {
  if (!isCheck) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what the subgraphs compose to: run npm run generate.`)
    process.exitCode = 1
  }
}
