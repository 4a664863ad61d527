import { readFileSync } from 'node:fs'

type Environment = Record<string, string | undefined>

/**
 * Returns the environment variables with the values of the secrets that are in files: `NAME_FILE` is
 * the path of the file with the value of `NAME`. Throws an Error if both are set, or if the file
 * cannot be read.
 */
export function withSecretFiles(env: Environment, secretNames: readonly string[]): Environment {
  const values = secretNames.flatMap((name) => {
    const path = env[`${name}_FILE`]
    if (!path) return []
    if (env[name]) throw new Error(`Set ${name} or ${name}_FILE, not both.`)
    return [[name, contentOf(`${name}_FILE`, path)] as const]
  })
  return values.length === 0 ? env : { ...env, ...Object.fromEntries(values) }
}

function contentOf(name: string, path: string): string {
  try {
    // Editors and tools end files with a line feed, and no secret does.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new Error(`${name} must be the path of a readable file, not "${path}".`, { cause })
  }
}
