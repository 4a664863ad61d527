/**
 * A minimal browser for the log-in pages: cookies by path, redirects, forms. It stops at a page or
 * at another origin.
 */
export class ABrowser {
  at = new URL('about:blank')
  status = 0
  page = ''
  headers = new Headers()
  readonly #sent: Record<string, string>
  #cookies: { name: string; value: string; path: string }[] = []

  /** Sends these headers with every request. */
  constructor(sent: Record<string, string> = {}) {
    this.#sent = sent
  }

  /** Opens a URL and follows redirects within the same origin. */
  async visit(url: URL, form?: Record<string, string>): Promise<URL> {
    const answer = await this.get(url, form)
    for (const line of answer.headers.getSetCookie()) this.#retain(line)
    const location = answer.headers.get('location')
    this.at = location ? new URL(location, url) : url
    if (location && this.at.origin === url.origin) return this.visit(this.at)
    this.status = answer.status
    this.headers = answer.headers
    this.page = await answer.text()
    return this.at
  }

  /** Sends one request with the cookies; does not follow redirects or store cookies. */
  get(url: URL, form?: Record<string, string>): Promise<Response> {
    const cookie = this.#cookies
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    return fetch(url, {
      redirect: 'manual',
      headers: { ...this.#sent, cookie, accept: 'text/html' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
  }

  /** The values of all cookies that were set. */
  get cookieValues(): string[] {
    return this.#cookies.map(({ value }) => value).filter((value) => value !== '')
  }

  /** Posts the form of the current page without following the response. */
  post(form: Record<string, string>): Promise<Response> {
    return this.get(this.at, form)
  }

  /** Posts the form of the current page and follows the response. */
  submit(form: Record<string, string>): Promise<URL> {
    return this.visit(this.at, form)
  }

  /** Opens a URL and submits one form after the other. */
  async through(url: URL, answers: readonly Record<string, string>[]): Promise<URL> {
    await this.visit(url)
    for (const answer of answers) await this.submit(answer)
    return this.at
  }

  #retain(line: string): void {
    const [pair, ...attributes] = line.split(/;\s*/)
    const at = pair!.indexOf('=')
    const name = pair!.slice(0, at)
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/'
    this.#cookies = this.#cookies.filter((it) => it.name !== name || it.path !== path)
    this.#cookies.push({ name, value: pair!.slice(at + 1), path })
  }
}
