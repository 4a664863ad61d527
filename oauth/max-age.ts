import type { Configuration, Provider } from 'oidc-provider'
import { InvalidRequest } from 'oidc-provider/lib/helpers/errors.js'
import { base, Check } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import { paths } from './metadata.ts'

/**
 * The name under which oidc-provider receives `max_age`, which it accepts only with the scope
 * `openid`.
 */
const parameter = 'login_max_age'

/**
 * Accepts `max_age` in OAuth requests without the scope `openid` (RFC 9470, step-up
 * authentication), by renaming the parameter before oidc-provider reads it.
 */
export function acceptMaxAge(provider: Provider): void {
  provider.use((ctx, next) => {
    if (ctx.path === paths.authorize && ctx.query['max_age'] !== undefined) {
      const { max_age: maxAge, ...query } = ctx.query
      ctx.query = { ...query, [parameter]: maxAge }
    }
    return next()
  })
}

/**
 * Returns the policy that requires a new login if the last one is older than `max_age` seconds. 0
 * always requires one.
 */
export function maxAgePolicy(): Pick<Configuration, 'extraParams'> & {
  policy: ReturnType<typeof base>
} {
  const policy = base()
  const description = 'The last login is older than the client accepts.'
  const isTooOld = new Check('max_age_exceeded', description, 'login_required', ({ oidc }) => {
    const { [parameter]: maxAge } = oidc.params as Record<string, string | undefined>
    if (maxAge === undefined || oidc.result?.login) return false
    return !oidc.session?.loginTs || Number(maxAge) === 0 || oidc.session.past(Number(maxAge))
  })
  policy.get('login')!.checks.add(isTooOld)
  return {
    policy,
    extraParams: {
      [parameter]: (_ctx, value) => {
        if (value === undefined || /^\d{1,9}$/.test(value)) return
        throw new InvalidRequest('max_age must be a whole number of seconds.')
      },
    },
  }
}
