import { open } from 'node:fs/promises'

/** Syncs a folder, so that the names of its new files survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
