import { Problem } from './problems.ts'

/** The default language of templates, and the last fallback for notifications. */
export const defaultLanguage = 'en'

/** Returns the canonical form of a BCP 47 tag. Throws INVALID_LANGUAGE if the tag is malformed. */
export function parseLanguage(tag: string): string {
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0]
    if (canonical && canonical.length <= 35) return canonical
  } catch {
    // A malformed tag: the problem is thrown below.
  }
  const detail = `"${tag}" is not a BCP 47 language tag, such as en or pt-BR.`
  throw new Problem('INVALID_LANGUAGE', {
    detail,
    errors: [{ pointer: '/language', code: 'INVALID_LANGUAGE', detail }],
  })
}

/**
 * Returns the languages to try, in order of preference: the requested one, the party's, the
 * default. A tag with a region or a script is followed by its language alone.
 */
export function fallbackLanguages(
  requestedLanguage: string | null | undefined,
  partyLanguage: string | null | undefined,
): string[] {
  const chain = [requestedLanguage, partyLanguage, defaultLanguage]
    .filter((tag) => tag !== null && tag !== undefined)
    .flatMap((tag) => [tag, tag.split('-')[0]!])
  return [...new Set(chain)]
}
