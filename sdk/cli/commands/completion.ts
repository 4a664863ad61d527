import { Argument, type Command } from 'commander'
import type { Output } from '../output.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** Adds the command that prints a completion script. */
export function addCompletion(program: Command, output: (command: Command) => Output): void {
  program
    .command('completion')
    .description(
      'print a script that completes commands and options: source <(bankgraph completion bash)',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: Shell, _: object, command: Command) => {
      output(command).line(scriptFor(shell, wordsOf(program)))
    })
}

/** Returns the words that can follow each command, by the words before them. */
function wordsOf(program: Command): Map<string, string[]> {
  const words = new Map<string, string[]>()
  const add = (command: Command, path: string) => {
    const flags = command.options.flatMap(({ long }) => long ?? [])
    words.set(path, [...command.commands.map((each) => each.name()), ...flags])
    for (const each of command.commands) add(each, `${path} ${each.name()}`.trim())
  }
  add(program, '')
  return words
}

function scriptFor(shell: Shell, words: Map<string, string[]>): string {
  if (shell === 'fish') {
    return [...words]
      .map(([path, next]) => {
        const seen =
          path === ''
            ? '__fish_use_subcommand'
            : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`
        return `complete -c bankgraph -f -n '${seen}' -a '${next.join(' ')}'`
      })
      .join('\n')
  }
  const cases = [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`)
  const script = `_bankgraph() {
  local path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bankgraph bankgraph`
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script
}
