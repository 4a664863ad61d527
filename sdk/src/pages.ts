/** A page of a list. */
export interface Page<Item> {
  items: Item[]
  /** The token of the next page; null on the last page. */
  nextPageToken: string | null
}

/**
 * A list, which is read when it is used: `await list` returns the first page, and
 * `for await (const item of list)` returns the items of all pages.
 */
export class ItemList<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #read: (pageToken: string | undefined) => Promise<Page<Item>>
  readonly #firstToken: string | undefined
  #first: Promise<Page<Item>> | null = null

  constructor(read: (pageToken: string | undefined) => Promise<Page<Item>>, firstToken?: string) {
    this.#read = read
    this.#firstToken = firstToken
  }

  // oxlint-disable-next-line unicorn/no-thenable -- A list is awaited to get its first page.
  then<Fulfilled = Page<Item>, Rejected = never>(
    onFulfilled?: ((page: Page<Item>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#first ??= this.#read(this.#firstToken)
    return this.#first.then(onFulfilled, onRejected)
  }

  /** Returns the pages one after another. */
  async *pages(): AsyncGenerator<Page<Item>, void> {
    let page: Page<Item> = await this
    for (;;) {
      yield page
      if (page.nextPageToken === null) return
      page = await this.#read(page.nextPageToken)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const { items } of this.pages()) yield* items
  }

  /** Reads all pages. */
  async all(): Promise<Item[]> {
    const items: Item[] = []
    for await (const item of this) items.push(item)
    return items
  }
}

/** Returns the page token in a header such as `</v1/accounts?pageToken=x>; rel="next"`. */
export function nextTokenIn(link: string | null): string | null {
  const next = link?.split(',').find((part) => /;\s*rel="?next"?/.test(part))
  const query = next && /<[^>]*\?([^>]*)>/.exec(next)?.[1]
  return query ? new URLSearchParams(query).get('pageToken') : null
}
