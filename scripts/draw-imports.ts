import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../subgraphs/_kernel/root.ts'
import { importGraph } from '../test/house/import-graph.ts'

// Draws the imports into ARCHITECTURE.md, where a test compares them.
const path = join(projectRoot, 'ARCHITECTURE.md')
const drawing = `\`\`\`mermaid\n${importGraph()}\n\`\`\``
writeFileSync(path, readFileSync(path, 'utf8').replace(/```mermaid\n[\s\S]*?```/, drawing))
