import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { InvalidRequest } from 'oidc-provider/lib/helpers/errors.js'
import { base, Check } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import type { Pool } from 'pg'
import { openIdScope } from './grants.ts'
import { paths } from './metadata.ts'
import { findPerson } from './people.ts'

type Session = NonNullable<KoaContextWithOIDC['oidc']['session']>

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
    const isOpenId = String(ctx.query['scope'] ?? '')
      .split(' ')
      .includes(openIdScope)
    if (ctx.path === paths.authorize && !isOpenId && ctx.query['max_age'] !== undefined) {
      const { max_age: maxAge, ...query } = ctx.query
      ctx.query = { ...query, [maxAgeParameter]: maxAge }
    }
    return next()
  })
}

/**
 * Returns the policy that requires a new login if the user of the session may not log in to the
 * client, or if the last login is older than `max_age` seconds or than the password of the user. A
 * `max_age` of 0 always requires a new login.
 */
export function logInPolicy(pool: Pool): Pick<Configuration, 'extraParams'> & {
  policy: ReturnType<typeof base>
} {
  const policy = base()
  const description = 'The last login is older than the client accepts.'
  const maxAgeCheck = new Check('max_age_exceeded', description, 'login_required', ({ oidc }) => {
    const { [maxAgeParameter]: maxAge } = oidc.params as Record<string, string | undefined>
    if (maxAge === undefined || oidc.result?.login) return false
    return !oidc.session?.loginTs || Number(maxAge) === 0 || oidc.session.past(Number(maxAge))
  })
  const changed = 'The password was changed after the last login.'
  const passwordCheck = new Check('password_changed', changed, 'login_required', ({ oidc }) =>
    oidc.result?.login ? false : isOlderThanPassword(pool, oidc.session),
  )
  const missing = 'The user of the session may not log in, or not to this client.'
  const accountCheck = new Check('account_missing', missing, 'login_required', ({ oidc }) =>
    Boolean(oidc.session?.accountId && !oidc.account),
  )
  const { checks } = policy.get('login')!
  checks.add(accountCheck)
  checks.add(maxAgeCheck)
  checks.add(passwordCheck)
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

/** Whether a session began before the password of its user was set. */
async function isOlderThanPassword(pool: Pool, session: Session | undefined): Promise<boolean> {
  if (!session?.accountId || !session.loginTs) return false
  const person = await findPerson(pool, session.accountId)
  return session.loginTs < Math.floor((person?.passwordSetAt?.getTime() ?? 0) / 1000)
}
