import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Heartbeat } from '../database/heartbeat.ts'
import { loadedEncryptedColumns } from '../domain/encrypted-columns.ts'
import {
  areaOf,
  nameOf,
  type DataKey,
  type DataKeyPurpose,
  type PersonalCipher,
} from './personal-cipher.ts'
import type { Vault } from './vault.ts'

/** How long a new key is only known, so that every process knows it before the first one uses it. */
const publishMs = 30_000
const keyBytes = 32

export interface DataKeysOptions {
  pool: pg.Pool
  cipher: PersonalCipher
  vault: Vault
  log: Logger
  /** Whether new values are encrypted. */
  isOn: boolean
}

type StoredKey = Omit<DataKey, 'bytes'> & { wrappedKey: string }

const readSql =
  'select area, purpose, version, wrapped_key as "wrappedKey", active_from as "activeFrom" ' +
  'from kernel.data_key'

/** Differs if keys were added or changed, such as when they were encrypted with another root secret. */
const digestSql =
  'select sum(hashtextextended(wrapped_key, version + extract(epoch from active_from)::bigint)) ' +
  'from kernel.data_key'

/** A bank without events is new, so no other process uses it yet. */
const insertSql =
  'insert into kernel.data_key (area, purpose, version, wrapped_key, active_from) ' +
  'select $1, $2, $3, $4, case when exists (select from kernel.head where position > 0) ' +
  "then now() + $5 * interval '1 ms' else now() end on conflict do nothing"

const rewrapSql =
  'update kernel.data_key set wrapped_key = $4 ' +
  'where area = $1 and purpose = $2 and version = $3 and wrapped_key = $5'

/** The data keys of one environment, which its processes share through the database. */
export class DataKeys {
  readonly #options: DataKeysOptions
  #endWatch: () => void = () => undefined
  #digest: unknown

  constructor(options: DataKeysOptions) {
    this.#options = options
  }

  /** Loads the keys, and creates those that are missing if personal data is encrypted. */
  async start(): Promise<void> {
    await this.reload()
    if (this.#options.isOn) await this.#createMissing()
  }

  /** Follows the keys that other processes create or encrypt again, until it is closed. */
  follow(heartbeat: Pick<Heartbeat, 'watch'>): void {
    this.#endWatch = heartbeat.watch(digestSql, (digest) => {
      if (digest === this.#digest) return
      this.reload().then(
        () => (this.#digest = digest),
        (error: Error) =>
          this.#options.log.warn(
            { error: error.message },
            'failed to reload the data keys; retrying',
          ),
      )
    })
  }

  close(): void {
    this.#endWatch()
  }

  /** Loads the keys from the database. */
  async reload(): Promise<void> {
    const { cipher, vault, log, isOn } = this.#options
    const keys = (await this.#read()).map(({ wrappedKey, ...key }) => ({
      ...key,
      bytes: Buffer.from(vault.decrypt(wrappedKey, placeOf(key)), 'base64url'),
    }))
    cipher.use(keys, isOn, (fault) => log.error(fault, 'a personal value cannot be decrypted'))
  }

  /** Creates the next encryption key of each area. It becomes active when all processes know it. */
  async rotate(): Promise<void> {
    const stored = await this.#read()
    for (const area of encryptedAreas()) {
      const versions = stored.filter((key) => key.area === area && key.purpose === 'encryption')
      await this.#create(
        area,
        'encryption',
        Math.max(0, ...versions.map((each) => each.version)) + 1,
      )
    }
    await this.reload()
  }

  /**
   * After a rotation of the root secret, creates the next keys and encrypts the former ones again
   * with the new secret. A crash between the two leaves one key too many, and none too few.
   */
  async followRootSecret(): Promise<void> {
    const { pool, vault, isOn } = this.#options
    const stored = await this.#read()
    const outdated = stored.filter(({ wrappedKey }) => !vault.isCurrent(wrappedKey))
    if (outdated.length === 0) return
    if (isOn) await this.rotate()
    for (const { wrappedKey, ...key } of outdated) {
      const place = placeOf(key)
      const next = vault.encrypt(vault.decrypt(wrappedKey, place), place)
      await pool.query(rewrapSql, [key.area, key.purpose, key.version, next, wrappedKey])
    }
  }

  async #createMissing(): Promise<void> {
    const known = new Set((await this.#read()).map(nameOf))
    for (const area of encryptedAreas()) {
      // The index first: a value that is encrypted before its index exists would not be found.
      for (const purpose of ['index', 'encryption'] as const) {
        if (!known.has(nameOf({ area, purpose, version: 1 }))) await this.#create(area, purpose, 1)
      }
    }
    await this.reload()
  }

  async #create(area: string, purpose: DataKeyPurpose, version: number): Promise<void> {
    const { pool, vault } = this.#options
    const key = randomBytes(keyBytes).toString('base64url')
    const wrapped = vault.encrypt(key, placeOf({ area, purpose, version }))
    await pool.query(insertSql, [area, purpose, version, wrapped, publishMs])
  }

  async #read(): Promise<StoredKey[]> {
    return (await this.#options.pool.query<StoredKey>(readSql)).rows
  }
}

const placeOf = (key: Parameters<typeof nameOf>[0]) => `data-key/${nameOf(key)}`

const encryptedAreas = () => new Set([...loadedEncryptedColumns().keys()].map(areaOf))
