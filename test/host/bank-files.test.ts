import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BankFiles, filesAt, removeFilesBefore } from '../../host/backup/bank-files.ts'
import { decryptText } from '../../host/backup/encrypted-file.ts'
import { encryptedNames, encryptedPath, names } from '../../host/backup/layout.ts'
import type { BackupConfig } from '../../kernel/environment/backup-config.ts'

let root: string
let place: BackupConfig
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bankgraph-bank-files-'))
  place = { folder: join(root, 'backup'), key: randomBytes(32) }
  await put('secrets.json', '{"keys":[]}')
  await put('postgres/server.json', '{"id":"one"}')
  await put('documents/ab/contract', 'The contract')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const dataDir = () => join(root, 'data')
async function put(file: string, content: string, bank = dataDir()) {
  await mkdir(dirname(join(bank, file)), { recursive: true })
  await writeFile(join(bank, file), content)
}
const remove = (file: string) => rm(join(dataDir(), file))
const files = () => new BankFiles(dataDir(), place)
/** The content of a file in the backup. */
const copyOf = (file: string) => {
  const name = names.file(file)
  return decryptText(encryptedPath(place.folder, name), name, place.key)
}
/** An instant that is before the next change and after the last one. */
async function between() {
  await sleep(20)
  const instant = new Date()
  await sleep(20)
  return instant
}

describe('The files of a bank in its backup', () => {
  test('are its keys, its cluster and its documents', async () => {
    await files().copy()
    const all = ['documents/ab/contract', 'postgres/server.json', 'secrets.json']
    expect(await filesAt(place, null)).toEqual(all)
    expect(await copyOf('documents/ab/contract')).toBe('The contract')
    expect(await copyOf('secrets.json')).toBe('{"keys":[]}')
  })

  test('follow keys that change, in the same process and in a later one', async () => {
    const first = files()
    await first.copy()
    for (const [content, copying] of [
      ['rotated', first],
      ['rotated again', files()],
    ] as const) {
      await sleep(20)
      await put('secrets.json', content)
      await copying.copy()
      expect(await copyOf('secrets.json')).toBe(content)
    }
  })

  test('are not read again while they stay', async () => {
    await files().copy()
    const before = await readFile(encryptedPath(place.folder, names.file('documents/ab/contract')))
    await files().copy()
    const after = await readFile(encryptedPath(place.folder, names.file('documents/ab/contract')))
    expect(after.equals(before)).toBe(true)
  })

  test.each([
    ['by the process that copied it', true],
    ['while no process ran', false],
  ])('keep a deleted document for earlier instants: deleted %s', async (_, isSameProcess) => {
    const first = files()
    await first.copy()
    const before = await between()
    await remove('documents/ab/contract')
    await (isSameProcess ? first : files()).copy()
    expect(await filesAt(place, null)).not.toContain('documents/ab/contract')
    expect(await filesAt(place, before)).toContain('documents/ab/contract')
    await removeFilesBefore(place, before)
    expect(await filesAt(place, before)).toContain('documents/ab/contract')
    await removeFilesBefore(place, await between())
    expect(await encryptedNames(place.folder, 'files')).not.toContain('documents/ab/contract')
  })

  test('have a document again that a restored bank brought back', async () => {
    await files().copy()
    await remove('documents/ab/contract')
    await files().copy()
    await put('documents/ab/contract', 'The contract')
    await files().copy()
    expect(await filesAt(place, null)).toContain('documents/ab/contract')
    await removeFilesBefore(place, await between())
    expect(await copyOf('documents/ab/contract')).toBe('The contract')
  })

  test('are not taken for copied after a failed attempt', async () => {
    const copying = files()
    // A file stands where the folder of the copies belongs.
    await mkdir(place.folder, { recursive: true })
    await writeFile(join(place.folder, 'files'), '')
    await expect(copying.copy()).rejects.toThrow()
    expect(copying.areCopied).toBe(false)
    await rm(join(place.folder, 'files'))
    await copying.copy()
    expect(copying.areCopied).toBe(true)
    expect(await copyOf('documents/ab/contract')).toBe('The contract')
  })

  test('have what an interrupted copy left out', async () => {
    await put('documents/cd/letter', 'The letter')
    await files().copy()
    await rm(encryptedPath(place.folder, names.file('documents/cd/letter')))
    await files().copy()
    expect(await copyOf('documents/cd/letter')).toBe('The letter')
  })
})

describe('The folder of a backup', () => {
  test('is for its own bank, also when its files are older', async () => {
    await files().requireOwnBackup()
    await files().copy()
    await utimes(join(dataDir(), 'postgres/server.json'), 0, 0)
    await expect(files().requireOwnBackup()).resolves.toBeUndefined()
  })

  test.each([
    ['another bank', async (bank: string) => put('postgres/server.json', '{"id":"two"}', bank)],
    ['a bank that begins', async () => undefined],
  ])('is refused to %s', async (_, prepare) => {
    await files().copy()
    const bank = join(root, 'other')
    await prepare(bank)
    await expect(new BankFiles(bank, place).requireOwnBackup()).rejects.toThrow(
      `${place.folder} has the backup of another bank. Restore that bank, or set another BACKUP_DIR.`,
    )
  })

  test('is refused with another key', async () => {
    await files().copy()
    const other = new BankFiles(dataDir(), { ...place, key: randomBytes(32) })
    await expect(other.requireOwnBackup()).rejects.toThrow('BACKUP_KEY is not the key')
  })
})
