import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../kernel/environment/root.ts'
import { cruise, importGraph } from '../test/house/import-graph.ts'

// Draws the import graph in ARCHITECTURE.md. A test checks that it is current.
const path = join(projectRoot, 'ARCHITECTURE.md')
const drawing = `\`\`\`mermaid\n${importGraph(cruise())}\n\`\`\``
writeFileSync(path, readFileSync(path, 'utf8').replace(/```mermaid\n[\s\S]*?```/, drawing))
