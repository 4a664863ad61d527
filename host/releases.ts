import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { projectRoot } from '../kernel/environment/root.ts'

/** A release of the program, as it is recorded in the databases that it has migrated. */
export interface Release {
  /** Such as `0.2.0`. */
  version: string
  /** The oldest release that works with the tables of this one. */
  worksWith: string
}

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string
}

/**
 * This release. A process of the former minor release works with its tables, so that processes can
 * be replaced one by one, and replaced again by the former release without a loss.
 */
export const thisRelease: Release = { version, worksWith: '0.1.0' }

const createTable = `
create table if not exists public.bankgraph_release (
  version text primary key,
  works_with text not null,
  recorded_at timestamptz not null default now()
)`

/** Records that a release migrates this database. Does nothing if it is known. */
export async function recordRelease(client: Client, { version, worksWith }: Release) {
  await client.query(createTable)
  await client.query(
    'insert into public.bankgraph_release (version, works_with) values ($1, $2) on conflict do nothing',
    [version, worksWith],
  )
}

/** Returns the newest release that has migrated this database; null if none was recorded. */
export async function newestRelease(client: Client): Promise<Release | null> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.bankgraph_release') is not null as exists`,
  )
  if (!tables[0]!.exists) return null
  const { rows } = await client.query<Release>(
    'select version, works_with as "worksWith" from public.bankgraph_release',
  )
  return rows.sort((one, other) => compareVersions(other.version, one.version))[0] ?? null
}

/** Compares `major.minor.patch` by number: negative if `one` is older, 0 if they are equal. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one.split('.').map(Number), other.split('.').map(Number)]
  return a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!
}
