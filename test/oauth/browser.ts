import { Readable } from 'node:stream'

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
    return fetch(url, {
      redirect: 'manual',
      headers: { ...this.#sent, cookie: this.#cookiesFor(url), accept: 'text/html' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
  }

  /** Posts the form of the current page, of which the server gets the end after `meanwhile`. */
  postSlowly(form: Record<string, string>, meanwhile: () => Promise<unknown>): Promise<Response> {
    const [first, ...rest] = new URLSearchParams(form).toString()
    async function* parts() {
      yield Buffer.from(first!)
      await new Promise((resolve) => setTimeout(resolve, 200))
      await meanwhile()
      yield Buffer.from(rest.join(''))
    }
    const options: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...this.#sent,
        cookie: this.#cookiesFor(this.at),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: Readable.toWeb(Readable.from(parts())) as ReadableStream,
      duplex: 'half',
    }
    return fetch(this.at, options)
  }

  #cookiesFor({ pathname }: URL): string {
    return this.#cookies
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
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
