export function credentialsOf(env: string): {
  clientId: string
  clientSecret: string
  tokenEndpoint: string
}
export function requestToken(asked: { env: string; scope?: string }): Promise<string>
export function signPersonToken(asked: {
  env: string
  person: string
  scope?: string
}): Promise<string>
