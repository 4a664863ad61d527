// The package's index.js prints a warning about the Node version when it is imported; the modules
// below do not. They export the same classes. The version is pinned, so the paths stay valid.
declare module 'oidc-provider/lib/provider.js' {
  export { default as Provider } from 'oidc-provider'
}
declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider'
  export import InvalidGrant = errors.InvalidGrant
  export import InvalidRequest = errors.InvalidRequest
  export import InvalidScope = errors.InvalidScope
  export import InvalidTarget = errors.InvalidTarget
  export import SessionNotFound = errors.SessionNotFound
  export import UnmetAuthenticationRequirements = errors.UnmetAuthenticationRequirements
}
declare module 'oidc-provider/lib/helpers/keystore.js' {
  export { ExternalSigningKey } from 'oidc-provider'
}
declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import { interactionPolicy } from 'oidc-provider'
  export import Check = interactionPolicy.Check
  export import base = interactionPolicy.base
}
