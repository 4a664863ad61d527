import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import {
  indexColumnOf,
  indexTerms,
  loadedEncryptedColumns,
  type EncryptedColumn,
} from '../domain/encrypted-columns.ts'
import { noncharacter } from '../domain/unstorable.ts'

/** The purposes of data keys: encryption, and the blind indexes of searched columns. */
export type DataKeyPurpose = 'encryption' | 'index'

/** A key of one area. */
export interface DataKey {
  area: string
  purpose: DataKeyPurpose
  version: number
  activeFrom: Date
  bytes: Buffer
}

const ivBytes = 12
const tagBytes = 16
const hashBytes = 12

/** A text or a JSON value, the area, version and place of its encryption, and the bytes. */
const envelope = new RegExp(
  `${noncharacter}([^${noncharacter}]*)${noncharacter}(\\["[^\\]]*"\\])?`,
  'g',
)
const envelopeInJson = new RegExp(`"${noncharacter}j~([^${noncharacter}]*)${noncharacter}"`, 'g')

/**
 * Encrypts the personal columns of rows with AES-256-GCM. An encrypted value is a text between two
 * noncharacters, which no input may contain. It names its data key, and the table and column for
 * which it was encrypted; both are authenticated. A cipher without keys changes nothing.
 */
export class PersonalCipher {
  #keys = new Map<string, DataKey>()
  #isOn = false
  #onFault: (fault: { key: string; place: string }) => void = () => undefined

  /** Whether new values are encrypted. Encrypted values are always decrypted. */
  get isOn(): boolean {
    return this.#isOn
  }

  /** Whether there are no keys, so that nothing was ever encrypted. */
  get isEmpty(): boolean {
    return this.#keys.size === 0
  }

  /** Replaces the keys. `onFault` is called for each value that cannot be decrypted. */
  use(
    keys: readonly DataKey[],
    isOn: boolean,
    onFault: (fault: { key: string; place: string }) => void,
  ): void {
    this.#keys = new Map(keys.map((key) => [nameOf(key), key]))
    this.#isOn = isOn
    this.#onFault = onFault
  }

  /** Returns the newest active key of an area; null before there is one. */
  currentKey(area: string, purpose: DataKeyPurpose = 'encryption'): DataKey | null {
    const now = Date.now()
    let current: DataKey | null = null
    for (const key of this.#keys.values()) {
      if (key.area !== area || key.purpose !== purpose || key.activeFrom.getTime() > now) continue
      if (!current || key.version > current.version) current = key
    }
    return current
  }

  /** Encrypts the personal columns of rows that are encoded as JSON, one object or an array. */
  encryptRows(table: string, json: string): string {
    const columns = loadedEncryptedColumns().get(table)
    if (!this.#isOn || !columns) return json
    const parsed = JSON.parse(json) as Record<string, unknown> | Record<string, unknown>[]
    for (const row of Array.isArray(parsed) ? parsed : [parsed]) {
      for (const [name, column] of columns) {
        const value = row[name]
        if (value === undefined || value === null) continue
        if (column.index) row[indexColumnOf(name)] = this.indexOf(table, column.index, value)
        row[name] = this.encryptValue(table, name, value, column)
      }
    }
    return JSON.stringify(parsed)
  }

  /** Encrypts a value of a column, or its personal members. An empty text stays as it is. */
  encryptValue(
    table: string,
    name: string,
    value: unknown,
    column: EncryptedColumn | undefined = loadedEncryptedColumns().get(table)?.get(name),
  ): unknown {
    const key = this.#isOn && column ? this.currentKey(areaOf(table)) : null
    if (!key || !column) return value
    const place = `${table}.${name}`
    if (column.members) return this.#withMembers(value, column.members, false, key, place)
    if (typeof value !== 'string') return encryptWith(key, 'j', place, JSON.stringify(value))
    if (value === '') return value
    return encryptWith(key, 't', place, value) + (column.keepsIds ? idsIn(value) : '')
  }

  #withMembers(
    value: unknown,
    members: ReadonlySet<string>,
    isMember: boolean,
    key: DataKey,
    place: string,
  ): unknown {
    if (typeof value === 'string')
      return isMember && value !== '' ? encryptWith(key, 't', place, value) : value
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    const inner = (item: unknown, isInner: boolean) =>
      this.#withMembers(item, members, isInner, key, place)
    if (Array.isArray(value)) return value.map((item) => inner(item, isMember))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        inner(item, isMember || members.has(name)),
      ]),
    )
  }

  /** Returns the blind index of a value: a keyed hash of each text under which it is found. */
  indexOf(table: string, index: 'prefixes' | 'addresses', value: unknown): string[] {
    return indexTerms(index, value).map((term) => this.indexHash(table, term) ?? '')
  }

  /** Returns the hash under which a blind index of a table has a text; null without a key. */
  indexHash(table: string, term: string): string | null {
    const key = this.currentKey(areaOf(table), 'index')
    if (!key) return null
    const hash = createHmac('sha256', key.bytes).update(`${table}\n${term}`).digest()
    return hash.subarray(0, hashBytes).toString('base64url')
  }

  /** Decrypts what is encrypted in a text that the database returned. */
  decryptText(text: string): string {
    if (!text.includes(noncharacter)) return text
    return text.replace(envelope, (_, content: string) => this.#open(content))
  }

  /** Decrypts what is encrypted in JSON that the database returned. */
  decryptJson(json: string): string {
    if (!json.includes(noncharacter)) return json
    return json
      .replace(envelopeInJson, (_, content: string) => this.#open(`j~${content}`))
      .replace(envelope, (_, content: string) => JSON.stringify(this.#open(content)).slice(1, -1))
  }

  #open(content: string): string {
    const [type = '', area, version, place = '', body = ''] = content.split('~')
    const keyName = `${area}/encryption/${version}`
    const key = this.#keys.get(keyName)
    try {
      if (!key) throw new Error('The data key is unknown.')
      const bytes = Buffer.from(body, 'base64url')
      const iv = bytes.subarray(0, ivBytes)
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(`${type}~${place}`))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      const text = decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8')
      return text + decipher.final('utf8')
    } catch (cause) {
      this.#onFault({ key: keyName, place })
      throw new Error(`A value of ${place} with the key ${keyName} cannot be decrypted.`, { cause })
    }
  }
}

/** Returns the area of a table: the schema that contains it. */
export const areaOf = (table: string): string => table.slice(0, table.indexOf('.'))

/** Returns the name of a data key. */
export const nameOf = ({ area, purpose, version }: Omit<DataKey, 'bytes' | 'activeFrom'>): string =>
  `${area}/${purpose}/${version}`

function encryptWith(key: DataKey, type: 't' | 'j', place: string, text: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, iv)
  cipher.setAAD(Buffer.from(`${type}~${place}`))
  const bytes = [cipher.update(text, 'utf8'), cipher.final()]
  const body = Buffer.concat([iv, cipher.getAuthTag(), ...bytes]).toString('base64url')
  return `${noncharacter}${type}~${key.area}~${key.version}~${place}~${body}${noncharacter}`
}

const idMember = /"(?:\w*[iI]ds?|owners|parties)":(?:"([^"\\]+)"|\[((?:"[^"\\]+",?)*)\])/g

/** Returns the IDs in a JSON text as a JSON array; nothing if there are none. */
function idsIn(json: string): string {
  const ids = new Set<string>()
  for (const [, id, list] of json.matchAll(idMember)) {
    if (id !== undefined) ids.add(id)
    else for (const each of JSON.parse(`[${list}]`) as string[]) ids.add(each)
  }
  return ids.size === 0 ? '' : JSON.stringify([...ids])
}
