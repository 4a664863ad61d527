import pg from 'pg'
import type { PersonalCipher } from '../environment/personal-cipher.ts'
import { HostClient } from './database-hosts.ts'

type Parser = (text: string) => unknown

/** The decryption of the texts of each type that can contain encrypted values. */
const decryptions = new Map<number, 'decryptText' | 'decryptJson'>([
  [pg.types.builtins.TEXT, 'decryptText'],
  [pg.types.builtins.VARCHAR, 'decryptText'],
  [pg.types.builtins.JSON, 'decryptJson'],
  [pg.types.builtins.JSONB, 'decryptJson'],
])

/** Returns parsers of result values that decrypt the texts which other parsers receive. */
export function decryptingTypes(
  cipher: PersonalCipher,
  types: pg.CustomTypesConfig,
): pg.CustomTypesConfig {
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
      const parser = types.getTypeParser(oid, format as 'text') as Parser
      const decryption = decryptions.get(oid)
      return decryption ? (text: string) => parser(cipher[decryption](text)) : parser
    }) as pg.CustomTypesConfig['getTypeParser'],
  }
}

/**
 * Returns a class of clients that also decrypt the results of queries with parsers of their own,
 * such as those of Prisma.
 */
export function decryptingClient(cipher: PersonalCipher): typeof pg.Client {
  return class DecryptingClient extends HostClient {
    override query(...given: unknown[]): never {
      const [config, ...others] = given as [{ types?: pg.CustomTypesConfig } | string, ...never[]]
      const types = typeof config === 'object' && !cipher.isEmpty ? config.types : undefined
      const decrypting = types
        ? { ...(config as object), types: decryptingTypes(cipher, types) }
        : config
      return super.query(decrypting as never, ...others) as never
    }
  } as typeof pg.Client
}
