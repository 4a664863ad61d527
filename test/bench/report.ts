import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { projectRoot } from '../../kernel/environment/root.ts'

/** A figure of the table: what was measured, next to its limit or its peer. */
export interface Figure {
  what: string
  /** The figure with its unit, such as `1,200 /s`. */
  value: string
  /** What it is compared with, and the figure of that. */
  peer?: string
  /** The figure divided by that of the peer, or by the goal. */
  ratio?: number
  /** The ratio that is the goal, such as `at least 1` or `at most 0.05`. */
  goal?: string
  isMet?: boolean
}

const figures: { part: string; figure: Figure }[] = []
const lines: string[] = []
let part = ''

/** Prints a line, and keeps it for the report. */
export function print(line: string): void {
  lines.push(line)
  console.log(line)
}

/** Starts a part of the benchmark. What is printed from now on belongs to it. */
export function startPart(name: string): void {
  part = name
  lines.push('', `# ${name}`)
}

/** Adds a figure to the table of the report, and prints it. */
export function record(figure: Figure): void {
  figures.push({ part, figure })
  const { what, value, peer, ratio, goal } = figure
  const compared = peer ? `, ${peer}` : ''
  const judged = ratio === undefined ? '' : `, ratio ${ratio.toFixed(2)}`
  print(`  ${what}: ${value}${compared}${judged}${goal ? ` (goal: ${goal})` : ''}`)
}

/** Prints what the parts print themselves, too, and keeps it for the report. */
export function keepOutput(): void {
  const write = console.log
  console.log = (...given: unknown[]) => {
    const text = given.join(' ')
    if (lines.at(-1) !== text) lines.push(text)
    write(text)
  }
}

/** Writes `docs/performance.md` with all figures of this run. */
export async function writeReport(parts: readonly string[], seconds: string): Promise<void> {
  const { model } = cpus()[0]!
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectRoot })
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GB of memory`
  const rows = figures.map(({ part: name, figure: { what, value, peer, ratio, goal, isMet } }) => {
    const verdict = isMet === undefined ? '' : isMet ? 'met' : '**missed**'
    return `| ${[name, what, value, peer ?? '', ratio?.toFixed(2) ?? '', goal ?? '', verdict].join(' | ')} |`
  })
  const missed = figures.filter(({ figure }) => figure.isMet === false)
  const misses =
    missed.length === 0
      ? 'Every figure with a goal meets it.'
      : missed
          .map(
            ({ part: name, figure }) =>
              `- **${name}**: ${figure.what}, ${figure.value}. Goal: ${figure.goal}.`,
          )
          .join('\n')
  const text = `# Performance

This page shows what the hot paths of the bank cost. \`npm run bench -- --report\` writes it; do not edit it.

Compare ratios, and not absolute figures: both sides of a ratio took turns in the same run on the same machine. Figures are medians over the rounds.

- Machine: ${availableParallelism()} cores, ${model.trim()}, ${memory}; the load of other programs was ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')} (1, 5 and 15 minutes) when the run ended.
- Node.js ${process.version}, commit \`${commit.toString().trim()}\`
- Parts: ${parts.join(', ')}; ${seconds}
- Repeat it: \`npm run bench -- --report ${parts.join(' ')}\`

## What misses its goal

${misses}

## Figures

| part | what | figure | peer | ratio | goal | verdict |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## Output

\`\`\`text
${lines.join('\n').trim()}
\`\`\`
`
  const path = join(projectRoot, 'docs', 'performance.md')
  const style = await resolveConfig(path)
  writeFileSync(path, await format(text, { ...style, parser: 'markdown' }))
}
