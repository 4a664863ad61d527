import { describe, expect, test } from 'vitest'
import { bankCaller } from '../../../kernel/authorization/auth.ts'
import { requireRecentPasskey } from '../../../kernel/authorization/step-up.ts'
import { wwwAuthenticate } from '../../../kernel/authorization/challenge.ts'
import { acrOf, satisfyingAcrs } from '../../../kernel/domain/log-in-method.ts'
import { Problem } from '../../../kernel/domain/problem.ts'

const nowMs = Date.UTC(2026, 2, 4)
const passkey = 'urn:bankgraph:acr:passkey'
const password = 'urn:bankgraph:acr:password'

function rejectionOf(acr: string | null, secondsAgo: number | null): Problem | null {
  const authenticatedAt = secondsAgo === null ? null : nowMs - secondsAgo * 1000
  try {
    requireRecentPasskey({ ...bankCaller, acr, authenticatedAt }, nowMs)
    return null
  } catch (error) {
    return error as Problem
  }
}

describe('A sensitive change', () => {
  test.each([
    ['a passkey just now', passkey, 0],
    ['a passkey five minutes ago', passkey, 300],
  ])('is allowed after %s', (_, acr, seconds) => {
    expect(rejectionOf(acr, seconds)).toBeNull()
  })

  test.each([
    ['a passkey more than five minutes ago', passkey, 300.001],
    ['a passkey at an unknown time', passkey, null],
    ['a password', password, 0],
    ['a log-in of another class', 'urn:example:loa:high', 0],
    ['a log-in that the token does not describe', null, 0],
  ])('is rejected after %s', (_, acr, seconds) => {
    expect(rejectionOf(acr, seconds)).toMatchObject({
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      status: 401,
      members: { acrValues: [passkey], maxAgeSeconds: 300 },
    })
  })

  test('is challenged as in RFC 9470, section 3', () => {
    const header = wwwAuthenticate(rejectionOf(null, null)!, 'https://bank.example/meta')
    expect(header).toBe(
      'Bearer error="insufficient_user_authentication", ' +
        'error_description="Log in with a passkey; the log-in must be at most five minutes old.", ' +
        `acr_values="${passkey}", max_age="300", resource_metadata="https://bank.example/meta"`,
    )
  })
})

test('a passkey satisfies both classes, and a password only its own', () => {
  expect(satisfyingAcrs(acrOf.password)).toEqual([password, passkey])
  expect(satisfyingAcrs(acrOf.passkey)).toEqual([passkey])
  expect(satisfyingAcrs('urn:example')).toEqual([])
})
