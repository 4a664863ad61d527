export function credentialsOf(env: string): {
  clientId: string
  clientSecret: string
  tokenEndpoint: string
}
export function requestToken(request: { env: string; scope?: string }): Promise<string>
export function signPersonToken(request: {
  env: string
  person: string
  scope?: string
}): Promise<string>
