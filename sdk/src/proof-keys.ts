/** The private key of a client, as a JWK with its `kid`, as `credentials.json` has it. */
export type PrivateJwk = JsonWebKey & { kid?: string }

/** Keeps the key of an app, so that a reload of its page does not change it. */
export interface ProofKeyStore {
  /** Returns the key; undefined if there is none. */
  get(): Promise<CryptoKeyPair | undefined>
  /** Stores the key. Its private half cannot be exported, so the store must keep the object itself. */
  set(keys: CryptoKeyPair): Promise<void>
}

/** Whether tokens are bound to a key (DPoP, RFC 9449), and where the key is kept. */
export type ProofOption = boolean | ProofKeyStore

/** Stores the key in the browser (IndexedDB), where scripts can use it and not read it. */
export function browserProofKeyStore(name = 'bankgraph-proof-key'): ProofKeyStore {
  const objects = 'keys'
  const run = async <Result>(
    mode: IDBTransactionMode,
    access: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> => {
    const opening = indexedDB.open(name, 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(objects))
    const database = await resultOf(opening)
    try {
      return await resultOf(access(database.transaction(objects, mode).objectStore(objects)))
    } finally {
      database.close()
    }
  }
  return {
    get: () =>
      run('readonly', (store) => store.get('key') as IDBRequest<CryptoKeyPair | undefined>),
    async set(keys) {
      await run('readwrite', (store) => store.put(keys, 'key'))
    },
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error!))
  })
}
