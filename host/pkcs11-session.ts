import { createHash } from 'node:crypto'
import type * as Pkcs11 from 'pkcs11js'
import type { Pkcs11Config } from '../kernel/environment/config.ts'

type Library = typeof Pkcs11
type Attributes = Pkcs11.Template

/** The named curve P-256, as a DER-encoded object identifier. */
const p256 = Buffer.from('06082a8648ce3d030107', 'hex')
/** The DER header of an uncompressed point of P-256 in an octet string. */
const pointHeader = Buffer.from('044104', 'hex')
const ivBytes = 12
const tagBytes = 16

/** Loads the binding. It is an optional dependency, because it is compiled when it is installed. */
async function loadLibrary(): Promise<Library> {
  try {
    const { default: library } = (await import('pkcs11js')) as unknown as { default: Library }
    return library
  } catch (cause) {
    throw new Error(
      'PKCS11_MODULE needs the package pkcs11js, which could not be built when it was installed. ' +
        'Install Python and a C++ compiler, and run "npm rebuild pkcs11js".',
      { cause },
    )
  }
}

/**
 * A session with a token of a PKCS#11 module. Keys are found by their label. A session that the token
 * ended, as after a restart of the HSM, is opened again.
 */
export class Pkcs11Session {
  readonly #library: Library
  readonly #module: Pkcs11.PKCS11
  readonly #settings: Pkcs11Config
  #session: Buffer | null = null
  readonly #handles = new Map<string, Buffer>()

  private constructor(library: Library, settings: Pkcs11Config) {
    this.#library = library
    this.#settings = settings
    this.#module = new library.PKCS11()
  }

  /** Opens a session. Throws an Error that names the setting that is wrong. */
  static async open(settings: Pkcs11Config): Promise<Pkcs11Session> {
    const session = new Pkcs11Session(await loadLibrary(), settings)
    try {
      session.#module.load(settings.module)
    } catch (cause) {
      throw new Error(`PKCS11_MODULE (${settings.module}) cannot be loaded.`, { cause })
    }
    session.#initialize()
    session.#open()
    return session
  }

  /** Generates an ES256 key pair whose private key cannot leave the token. Returns the point. */
  generateSigningKey(label: string): { x: Buffer; y: Buffer } {
    return this.#run((session) => {
      const { CKM_EC_KEY_PAIR_GEN: mechanism } = this.#library
      const { publicKey } = this.#module.C_GenerateKeyPair(
        session,
        { mechanism },
        this.#attributes(label, this.#library.CKO_PUBLIC_KEY, [
          { type: this.#library.CKA_VERIFY, value: true },
          { type: this.#library.CKA_EC_PARAMS, value: p256 },
        ]),
        this.#attributes(label, this.#library.CKO_PRIVATE_KEY, [
          { type: this.#library.CKA_SIGN, value: true },
          ...this.#secret(),
        ]),
      )
      const template = [{ type: this.#library.CKA_EC_POINT }]
      const [point] = this.#module.C_GetAttributeValue(session, publicKey, template)
      const value = point!.value as Buffer
      if (!value.subarray(0, 3).equals(pointHeader) || value.length !== 67) {
        throw new Error('The token returned a public key that is not a point of P-256.')
      }
      return { x: value.subarray(3, 35), y: value.subarray(35) }
    })
  }

  /** Signs with ECDSA and SHA-256. Throws an Error if the token has no key with the label. */
  sign(label: string, data: Buffer): Buffer {
    const digest = createHash('sha256').update(data).digest()
    return this.#run((session) => {
      const key = this.#key(label, this.#library.CKO_PRIVATE_KEY)
      this.#module.C_SignInit(session, { mechanism: this.#library.CKM_ECDSA }, key)
      return this.#module.C_Sign(session, digest, Buffer.alloc(64))
    })
  }

  /** Generates an AES-256 key that cannot leave the token, if there is none with the label. */
  ensureWrappingKey(label: string): void {
    this.#run((session) => {
      if (this.#find(label, this.#library.CKO_SECRET_KEY)) return
      this.#module.C_GenerateKey(
        session,
        { mechanism: this.#library.CKM_AES_KEY_GEN },
        this.#attributes(label, this.#library.CKO_SECRET_KEY, [
          { type: this.#library.CKA_VALUE_LEN, value: 32 },
          { type: this.#library.CKA_ENCRYPT, value: true },
          { type: this.#library.CKA_DECRYPT, value: true },
          ...this.#secret(),
        ]),
      )
    })
  }

  /** Encrypts with AES-256-GCM. The result begins with the initialization vector. */
  encrypt(label: string, text: Buffer): Buffer {
    return this.#run((session) => {
      const iv = this.#module.C_GenerateRandom(session, Buffer.alloc(ivBytes))
      const key = this.#key(label, this.#library.CKO_SECRET_KEY)
      this.#module.C_EncryptInit(session, this.#gcm(iv), key)
      const out = Buffer.alloc(text.length + tagBytes)
      return Buffer.concat([iv, this.#module.C_Encrypt(session, text, out)])
    })
  }

  /** Decrypts what `encrypt` returned. Throws if it was changed. */
  decrypt(label: string, encrypted: Buffer): Buffer {
    return this.#run((session) => {
      const key = this.#key(label, this.#library.CKO_SECRET_KEY)
      this.#module.C_DecryptInit(session, this.#gcm(encrypted.subarray(0, ivBytes)), key)
      const text = encrypted.subarray(ivBytes)
      return this.#module.C_Decrypt(session, text, Buffer.alloc(text.length))
    })
  }

  close(): void {
    this.#end()
    this.#module.C_Finalize()
    this.#module.close()
  }

  #initialize(): void {
    try {
      this.#module.C_Initialize()
    } catch (error) {
      if (!isError(error, this.#library.CKR_CRYPTOKI_ALREADY_INITIALIZED)) throw error
    }
  }

  #open(): Buffer {
    const { token, pin } = this.#settings
    const labelOf = (slot: Buffer) => this.#module.C_GetTokenInfo(slot).label.trim()
    const slot = this.#module.C_GetSlotList(true).find((each) => labelOf(each) === token)
    if (!slot) throw new Error(`PKCS11_TOKEN: there is no token with the label "${token}".`)
    const flags = this.#library.CKF_SERIAL_SESSION | this.#library.CKF_RW_SESSION
    const session = this.#module.C_OpenSession(slot, flags)
    try {
      this.#module.C_Login(session, this.#library.CKU_USER, pin)
    } catch (error) {
      if (!isError(error, this.#library.CKR_USER_ALREADY_LOGGED_IN)) {
        throw new Error('PKCS11_PIN is wrong, or the token is locked.', { cause: error })
      }
    }
    this.#session = session
    return session
  }

  #end(): void {
    this.#handles.clear()
    try {
      if (this.#session) this.#module.C_CloseSession(this.#session)
    } catch {
      // The token has already ended the session.
    }
    this.#session = null
  }

  /** Runs an operation, and once more in a new session if the token ended the session. */
  #run<Result>(operation: (session: Buffer) => Result): Result {
    try {
      return operation(this.#session ?? this.#open())
    } catch (error) {
      const ended = [
        this.#library.CKR_SESSION_HANDLE_INVALID,
        this.#library.CKR_SESSION_CLOSED,
        this.#library.CKR_DEVICE_REMOVED,
        this.#library.CKR_DEVICE_ERROR,
        this.#library.CKR_USER_NOT_LOGGED_IN,
        this.#library.CKR_KEY_HANDLE_INVALID,
      ]
      if (!ended.some((code) => isError(error, code))) throw error
      this.#end()
      return operation(this.#open())
    }
  }

  #key(label: string, type: number): Buffer {
    const name = `${type} ${label}`
    const handle = this.#handles.get(name) ?? this.#find(label, type)
    if (!handle) throw new Error(`The token has no key with the label "${label}".`)
    this.#handles.set(name, handle)
    return handle
  }

  #find(label: string, type: number): Buffer | null {
    const { CKA_CLASS, CKA_LABEL } = this.#library
    this.#module.C_FindObjectsInit(this.#session!, [
      { type: CKA_CLASS, value: type },
      { type: CKA_LABEL, value: label },
    ])
    try {
      return this.#module.C_FindObjects(this.#session!, 1)[0] ?? null
    } finally {
      this.#module.C_FindObjectsFinal(this.#session!)
    }
  }

  #attributes(label: string, type: number, others: Attributes): Attributes {
    return [
      { type: this.#library.CKA_CLASS, value: type },
      { type: this.#library.CKA_LABEL, value: label },
      { type: this.#library.CKA_TOKEN, value: true },
      ...others,
    ]
  }

  #secret(): Attributes {
    const { CKA_PRIVATE, CKA_SENSITIVE, CKA_EXTRACTABLE } = this.#library
    return [
      { type: CKA_PRIVATE, value: true },
      { type: CKA_SENSITIVE, value: true },
      { type: CKA_EXTRACTABLE, value: false },
    ]
  }

  #gcm(iv: Buffer): Pkcs11.Mechanism {
    const { CKM_AES_GCM: mechanism, CK_PARAMS_AES_GCM: type } = this.#library
    const bits = { ivBits: ivBytes * 8, tagBits: tagBytes * 8 }
    return { mechanism, parameter: { type, iv, ...bits } as Pkcs11.AesGCM }
  }
}

const isError = (error: unknown, code: number): boolean =>
  error instanceof Error && (error as Error & { code?: number }).code === code
