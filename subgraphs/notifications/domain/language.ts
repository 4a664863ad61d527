import { Problem } from '../../_kernel/domain/problem.ts'

/** The default language of templates, and the last fallback of notifications. */
export const defaultLanguage = 'en'

/** The canonical form of a BCP 47 tag. Throws INVALID_LANGUAGE if the tag is malformed. */
export function parseLanguage(tag: string): string {
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0]
    if (canonical && canonical.length <= 35) return canonical
  } catch {
    // Malformed: the problem is thrown below.
  }
  const detail = `"${tag}" is not a BCP 47 language tag, such as en or pt-BR.`
  throw new Problem('INVALID_LANGUAGE', {
    detail,
    errors: [{ pointer: '/language', code: 'INVALID_LANGUAGE', detail }],
  })
}

/**
 * The languages to try, in order of preference: the requested one, the party's, the default. A tag
 * with a region or script is followed by the plain language.
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
