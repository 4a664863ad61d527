import type { SandboxClient } from './client.ts'

/** The numbers of violations; `faults` describes the first of them. */
export interface Verdict {
  lost: number
  doubled: number
  disordered: number
  faults: string[]
}

export interface ReceivedEvent {
  position: string
  type: string
  subjectId: string
  sequence: number
}

/** All nodes of a query that pages through `page`, after a position if one is given. */
export async function walk<Node>(
  client: SandboxClient,
  document: string,
  from?: string,
): Promise<Node[]> {
  const nodes: Node[] = []
  for (let after = from ?? null; ;) {
    const { page } = await client.graph(document, { first: 200, after })
    nodes.push(...page.nodes)
    if (!page.pageInfo.hasNextPage) return nodes
    after = page.pageInfo.endCursor
  }
}

export function countDoubled(values: readonly string[], what: string, verdict: Verdict) {
  const seen = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) fault(verdict, 'doubled', `${what} ${value}`)
    seen.add(value)
  }
}

export function fault(verdict: Verdict, kind: 'lost' | 'doubled' | 'disordered', detail: string) {
  verdict[kind]++
  if (verdict.faults.length < 20) verdict.faults.push(`${kind}: ${detail}`)
}
