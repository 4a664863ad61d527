export function credentialsOf(env: string): {
  clientId: string
  clientSecret: string
  tokenEndpoint: string
}
export function requestToken(asked: { env: string; scope?: string }): Promise<string>
