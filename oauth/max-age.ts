import type { Configuration, Provider } from 'oidc-provider'
import { InvalidRequest } from 'oidc-provider/lib/helpers/errors.js'
import { base, Check } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import { paths } from './metadata.ts'

/** The library accepts `max_age` with the scope `openid` alone; under this name it is a parameter of ours. */
const parameter = 'login_max_age'

/**
 * Accepts `max_age` in plain OAuth requests (RFC 9470, step-up authentication): the parameter is
 * renamed before the library sees it.
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

/** Asks for a new log-in when the last one is older than `max_age` seconds; 0 asks for it always. */
export function maxAgePolicy(): Pick<Configuration, 'extraParams'> & {
  policy: ReturnType<typeof base>
} {
  const policy = base()
  const text = 'The last log-in is older than the client accepts.'
  const isTooOld = new Check('max_age_exceeded', text, 'login_required', ({ oidc }) => {
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
        throw new InvalidRequest('max_age must be a number of seconds.')
      },
    },
  }
}
