import { columnsAs } from './read-rows.ts'

/**
 * The columns that a read of a table returns: those of the selected fields instead of all. Of a page
 * of fifty records with twenty columns each, reading the columns that nobody selected takes more time
 * than the rest of the page.
 */
export class SelectedColumns<Row extends object> {
  readonly #all: ReadonlySet<string>
  readonly #always: readonly string[]
  readonly #computed: ReadonlyMap<string, readonly string[]>
  readonly #lists = new WeakMap<ReadonlySet<string>, string>()
  readonly #texts = new Set<string>()
  readonly #everything: string

  /**
   * `columns` are named like the fields. `always` is read in any case, such as the key and the owner.
   * `computed` names the columns from which other fields are computed. If a selected field is none of
   * these, all columns are read.
   */
  constructor(
    columns: readonly (keyof Row & string)[],
    always: readonly (keyof Row & string)[],
    computed: Readonly<Record<string, readonly (keyof Row & string)[]>>,
  ) {
    this.#all = new Set(columns)
    this.#always = always
    this.#computed = new Map(Object.entries(computed))
    this.#everything = columnsAs<Row>(...columns)
  }

  /** Returns the select list for fields; all columns without `fields`. */
  listFor(fields?: ReadonlySet<string>): string {
    if (!fields) return this.#everything
    let list = this.#lists.get(fields)
    if (list === undefined) {
      list = this.#compile(fields)
      this.#lists.set(fields, list)
    }
    return list
  }

  #compile(fields: ReadonlySet<string>): string {
    const columns = new Set(this.#always)
    for (const field of fields) {
      const needed = this.#all.has(field) ? [field] : this.#computed.get(field)
      if (!needed) return this.#everything
      for (const column of needed) columns.add(column)
    }
    const inOrder = [...this.#all].filter((column) => columns.has(column))
    const text = columnsAs<Row>(...(inOrder as (keyof Row & string)[]))
    // Every connection keeps a prepared statement for each list, so their number is limited.
    if (!this.#texts.has(text) && this.#texts.size >= maxLists) return this.#everything
    this.#texts.add(text)
    return text
  }
}

const maxLists = 30
