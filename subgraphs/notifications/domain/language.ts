import { Problem } from '../../_kernel/domain/problem.ts'

/** The language of templates that name none, and the last resort of every fallback. */
export const defaultLanguage = 'en'

/** The canonical form of a BCP-47 tag. Refuses with INVALID_LANGUAGE what is none. */
export function parseLanguage(tag: string): string {
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0]
    if (canonical && canonical.length <= 35) return canonical
  } catch {
    // Not a language tag: refused below.
  }
  const detail = 'A BCP-47 tag such as en or pt-BR.'
  throw new Problem('INVALID_LANGUAGE', {
    detail,
    errors: [{ pointer: '/language', code: 'INVALID_LANGUAGE', detail }],
  })
}

/**
 * The languages to look for, best first: the one that was asked for, the party's own, and the
 * default one. A language with a region or script is followed by the language alone.
 */
export function fallbackLanguages(
  asked: string | null | undefined,
  ofParty: string | null | undefined,
): string[] {
  const chain = [asked, ofParty, defaultLanguage]
    .filter((tag) => tag !== null && tag !== undefined)
    .flatMap((tag) => [tag, tag.split('-')[0]!])
  return [...new Set(chain)]
}
