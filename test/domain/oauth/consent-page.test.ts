import { describe, expect, test } from 'vitest'
import { consentPage } from '../../../oauth/pages.ts'
import { consentTexts, delegableScopes, everyScope, scopes } from '../../../kernel/domain/scopes.ts'

/** Terms of the code and of banking that customers do not use. */
const jargon =
  /\b(posting|party|parties|arrangement|entitlement|instruction|facilit\w*|webhook|endpoint|subscription|event|delegated|scope|ledger|kyc|client|token)\b/i

describe('consent texts', () => {
  test.each(everyScope)('%s: exists, in the words of a customer', (scope) => {
    const text = consentTexts[scope]
    expect(text).toMatch(/^[A-Z][^.]{10,80}$/)
    expect(text).not.toMatch(jargon)
    expect(text).not.toBe(scopes[scope].replace(/\.$/, ''))
  })

  test('are unique', () => {
    expect(new Set(Object.values(consentTexts)).size).toBe(everyScope.length)
  })

  test('are shown on the consent page for each requested scope, instead of the internal descriptions', () => {
    const page = consentPage('Budget <app>', 'ada', delegableScopes)
    for (const scope of delegableScopes) {
      expect(page).toContain(`<li>${consentTexts[scope]} <code>${scope}</code></li>`)
    }
    expect(page).not.toContain('Create posting instructions')
    expect(page).not.toContain('<app>')
  })
})
