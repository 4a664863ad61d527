import { readFileSync } from 'node:fs'
import { Kind, parse, print } from 'graphql'

/** What Ada, Grace and the bank do, as named operations. */
export function happyPath(): [string, string][] {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString()
  const text = readFileSync(new URL('happy-path.graphql', import.meta.url), 'utf8')
    .replaceAll('$LATER', day(30).slice(0, 10))
    .replaceAll('$SOON', day(30))
  return parse(text).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? [[definition.name!.value, print(definition)] as [string, string]]
      : [],
  )
}
