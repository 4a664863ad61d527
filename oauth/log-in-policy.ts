import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import {
  InvalidRequest,
  UnmetAuthenticationRequirements,
} from 'oidc-provider/lib/helpers/errors.js'
import { base, Check } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import type { Pool } from 'pg'
import { acrOf, satisfyingAcrs } from '../kernel/domain/log-in-method.ts'
import { openIdScope } from './grants.ts'
import { paths } from './metadata.ts'
import { findPerson } from './people.ts'

type Session = NonNullable<KoaContextWithOIDC['oidc']['session']>

/**
 * The names under which `max_age` and `acr_values` are passed to oidc-provider, which accepts the
 * parameters themselves only with the scope `openid`.
 */
export const maxAgeParameter = 'login_max_age'
export const acrParameter = 'login_acr_values'

/**
 * Accepts `max_age` and `acr_values` in OAuth requests without the scope `openid` (RFC 9470, step-up
 * authentication), by renaming the parameters before oidc-provider reads them.
 */
export function acceptStepUpParameters(provider: Provider): void {
  provider.use((ctx, next) => {
    const isOpenId = String(ctx.query['scope'] ?? '')
      .split(' ')
      .includes(openIdScope)
    if (ctx.path === paths.authorize && !isOpenId) {
      const { max_age: maxAge, acr_values: acrValues, ...query } = ctx.query
      if (maxAge !== undefined) query[maxAgeParameter] = maxAge
      if (acrValues !== undefined) query[acrParameter] = acrValues
      if (maxAge !== undefined || acrValues !== undefined) ctx.query = query
    }
    return next()
  })
}

/**
 * Whether the parameters of an authorization request accept only a log-in with a passkey: then
 * `acr_values` lists no class that a password satisfies.
 */
export function isPasskeyRequired(parameters: Record<string, unknown>): boolean {
  // With the scope `openid`, the parameter keeps its name.
  const acrValues = parameters[acrParameter] ?? parameters['acr_values']
  if (typeof acrValues !== 'string') return false
  const accepted = acrValues.split(' ').flatMap(satisfyingAcrs)
  return accepted.length > 0 && !accepted.includes(acrOf.password)
}

/**
 * Returns the policy that requires a new login if the user of the session may not log in to the
 * client, if the last login is older than `max_age` seconds or than the password of the user, or if
 * it used a password and `acr_values` requires a passkey. A `max_age` of 0 always requires a new
 * login. `acr_values` without a known class is rejected with `unmet_authentication_requirements`.
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
  const weak = 'The last login did not use a passkey.'
  const acrCheck = new Check('acr_not_met', weak, 'unmet_authentication_requirements', ({ oidc }) =>
    Boolean(
      oidc.session?.accountId &&
      oidc.session.acr !== acrOf.passkey &&
      isPasskeyRequired(oidc.params ?? {}),
    ),
  )
  const { checks } = policy.get('login')!
  checks.add(acrCheck)
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
      [acrParameter]: (_ctx, value) => {
        if (value === undefined || value.split(' ').flatMap(satisfyingAcrs).length > 0) return
        throw new UnmetAuthenticationRequirements(
          `The classes of acr_values are ${Object.values(acrOf).join(' and ')}.`,
        )
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
