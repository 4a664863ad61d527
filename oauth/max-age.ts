import type { Configuration, Provider } from 'oidc-provider'
import { InvalidRequest } from 'oidc-provider/lib/helpers/errors.js'
import { base, Check } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import { paths } from './metadata.ts'

/**
 * The name under which `max_age` is passed to oidc-provider, which accepts `max_age` itself only
 * with the scope `openid`.
 */
const maxAgeParameter = 'login_max_age'

/**
 * Accepts `max_age` in OAuth requests without the scope `openid` (RFC 9470, step-up
 * authentication), by renaming the parameter before oidc-provider reads it.
 */
export function acceptMaxAge(provider: Provider): void {
  provider.use((ctx, next) => {
    if (ctx.path === paths.authorize && ctx.query['max_age'] !== undefined) {
      const { max_age: maxAge, ...query } = ctx.query
      ctx.query = { ...query, [maxAgeParameter]: maxAge }
    }
    return next()
  })
}

/**
 * Returns the policy that requires a new login if the last one is older than `max_age` seconds. A
 * `max_age` of 0 always requires a new login.
 */
export function maxAgePolicy(): Pick<Configuration, 'extraParams'> & {
  policy: ReturnType<typeof base>
} {
  const policy = base()
  const description = 'The last login is older than the client accepts.'
  const maxAgeCheck = new Check('max_age_exceeded', description, 'login_required', ({ oidc }) => {
    const { [maxAgeParameter]: maxAge } = oidc.params as Record<string, string | undefined>
    if (maxAge === undefined || oidc.result?.login) return false
    return !oidc.session?.loginTs || Number(maxAge) === 0 || oidc.session.past(Number(maxAge))
  })
  policy.get('login')!.checks.add(maxAgeCheck)
  return {
    policy,
    extraParams: {
      [maxAgeParameter]: (_ctx, value) => {
        if (value === undefined || /^\d{1,9}$/.test(value)) return
        throw new InvalidRequest('max_age must be a whole number of seconds.')
      },
    },
  }
}
