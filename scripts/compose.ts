import { readFileSync, writeFileSync } from 'node:fs'
import { apiSchemaPath, buildSubgraphs, supergraphPath } from '../gateway/compose.ts'
import { compose } from '../gateway/composition.ts'

// Writes the composed schemas of the graph. With `--check` it only compares them with the committed
// files, and fails if they differ.
const { supergraph, apiSchema } = compose(buildSubgraphs())
const files = [
  [supergraphPath, supergraph],
  [apiSchemaPath, apiSchema],
] as const
const isCheck = process.argv.includes('--check')
for (const [path, text] of files) {
  if (!isCheck) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is out of date: run npm run generate.`)
    process.exitCode = 1
  }
}
