import { describe, expect, test } from 'vitest'
import { consentPage } from '../../../oauth/pages.ts'
import {
  consentTexts,
  delegableScopes,
  everyScope,
  scopes,
} from '../../../subgraphs/_kernel/scopes.ts'

/** Words of this code base and of the field that a customer does not use. */
const jargon =
  /\b(posting|party|parties|arrangement|entitlement|instruction|facilit\w*|webhook|endpoint|subscription|event|delegated|scope|ledger|kyc|client|token)\b/i

describe('what the consent page says of a scope', () => {
  test.each(everyScope)('%s: is there, in the words of a customer', (scope) => {
    const text = consentTexts[scope]
    expect(text).toMatch(/^[A-Z][^.]{10,80}$/)
    expect(text).not.toMatch(jargon)
    expect(text).not.toBe(scopes[scope].replace(/\.$/, ''))
  })

  test('no two say the same', () => {
    expect(new Set(Object.values(consentTexts)).size).toBe(everyScope.length)
  })

  test('the page shows the text of each scope that an app asks for, and no description of another', () => {
    const page = consentPage('Budget <app>', 'ada', delegableScopes)
    for (const scope of delegableScopes) {
      expect(page).toContain(`<li>${consentTexts[scope]} <code>${scope}</code></li>`)
    }
    expect(page).not.toContain('Create posting instructions')
    expect(page).not.toContain('<app>')
  })
})
