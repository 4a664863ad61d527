import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Pool } from 'pg'

/** The rights of an employee, as the staff area publishes them in the fact `employee/<username>`. */
interface EmployeeRights {
  roles: string[]
  scopes: string[]
}

/** A user who logs in on the bank's own login page. */
export interface Person {
  username: string
  /** The party for which a customer acts; null for an employee. */
  partyId: string | null
  /** The rights of an employee; null for a customer. */
  employee: EmployeeRights | null
  /** When the password was last changed; null if it never was. */
  passwordSetAt: Date | null
}

/** A user who is created when the environment starts. Without a party, the user is an employee. */
export interface SeededPerson {
  username: string
  partyId: string | null
  password: string
}

interface PersonRow {
  username: string
  password_hash: string
  party_id: string | null
  employee: EmployeeRights | null
  password_set_at: Date | null
}

const deriveKey = promisify(scrypt) as (
  text: string,
  salt: Buffer,
  length: number,
) => Promise<Buffer>
const keyBytes = 32

/**
 * Creates a user, or updates the password and the party of an existing one. A disabled user stays
 * disabled.
 */
export async function seedPerson(pool: Pool, person: SeededPerson, now: Date): Promise<void> {
  const username = person.username.toLowerCase()
  const storedRow = await findRow(pool, username)
  const isUnchanged =
    storedRow !== null &&
    storedRow.party_id === person.partyId &&
    (await isPasswordOf(storedRow, person.password))
  if (isUnchanged) return
  await pool.query(
    `insert into oauth.person (username, password_hash, party_id, created_at)
     values ($1, $2, $3, $4)
     on conflict (username) do update set
       password_hash = excluded.password_hash, party_id = excluded.party_id,
       password_set_at = excluded.created_at`,
    [username, await hashPassword(person.password), person.partyId, now],
  )
}

/**
 * Finds a user by name; null if the name is unknown, the user is disabled, or an employee is not
 * active.
 */
export async function findPerson(pool: Pool, username: string): Promise<Person | null> {
  const row = await findRow(pool, username)
  return row && personOf(row)
}

const personOf = ({ username, party_id: partyId, employee, ...row }: PersonRow): Person => ({
  username,
  partyId,
  employee: partyId === null ? employee : null,
  passwordSetAt: row.password_set_at,
})

/**
 * Finds the user with this name and checks the password. Takes equally long for an unknown name, so
 * that the response time does not reveal which names exist.
 */
export async function checkPassword(
  pool: Pool,
  username: string,
  password: string,
): Promise<{ person: Person | null; isRight: boolean }> {
  const row = await findRow(pool, username)
  const isRight = await isPasswordOf(row, password)
  const person = row && personOf(row)
  return { person, isRight: isRight && person !== null }
}

async function findRow(pool: Pool, username: string): Promise<PersonRow | null> {
  // The name is unvalidated input, and PostgreSQL rejects NUL in text.
  if (!/^[^\0]{1,200}$/.test(username)) return null
  const { rows } = await pool.query<PersonRow>({
    name: 'oauth-find-person',
    text: `select p.username, p.password_hash, p.party_id, p.password_set_at, f.data as employee
           from oauth.person p
           left join kernel.fact f on f.subject = 'employee/' || p.username
             and (f.data ->> 'isActive')::boolean
           where p.username = $1 and p.disabled_at is null
             and (p.party_id is not null or f.data is not null)`,
    values: [username],
  })
  return rows[0] ?? null
}

async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, keyBytes)
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`
}

async function isPasswordOf(row: PersonRow | null, password: string): Promise<boolean> {
  const [, salt = '', hash = ''] = row?.password_hash.split('$') ?? []
  const key = await deriveKey(password, Buffer.from(salt, 'base64url'), keyBytes)
  const storedKey = Buffer.from(hash, 'base64url')
  return storedKey.length === key.length && timingSafeEqual(storedKey, key)
}

const minPasswordLength = 12
const maxPasswordLength = 200

/** Whether a password is long enough, not too long, and does not contain the username. */
export const isStrongPassword = (password: string, username: string): boolean =>
  password.length >= minPasswordLength &&
  password.length <= maxPasswordLength &&
  !password.toLowerCase().includes(username)

/**
 * Sets the password of an active employee who has a valid one-time code, which cannot be used again.
 * Returns whether it is the first password of the employee; null if the code is not valid. `record`
 * has the arguments of the record for the audit of identity, which is written together with it.
 */
export async function setPassword(
  pool: Pool,
  {
    username,
    code,
    password,
    record,
  }: { username: string; code: string; password: string; record: [string, string] },
  now: Date,
): Promise<{ isFirst: boolean } | null> {
  if (!/^[^\0]{1,200}$/.test(username)) return null
  const codeHash = createHash('sha256').update(code).digest('base64url')
  const { rows } = await pool.query<{ isFirst: boolean }>(
    `with changed as (insert into oauth.person
       (username, password_hash, used_code_hash, password_set_at, created_at)
     select $1, $2, $3, $4, $4 from kernel.fact
     where subject = 'employee/' || $1 and (data ->> 'isActive')::boolean
       and data ->> 'logInCodeHash' = $3 and (data ->> 'logInCodeExpiresAt')::timestamptz > $4
     on conflict (username) do update set
       password_hash = excluded.password_hash, used_code_hash = excluded.used_code_hash,
       password_set_at = excluded.password_set_at
     where person.party_id is null and person.used_code_hash is distinct from $3
     returning xmax = 0 as is_first)
     select is_first as "isFirst", kernel.write_identity_records($5::json, $6::json) from changed`,
    [username, await hashPassword(password), codeHash, now, ...record],
  )
  return rows[0] ?? null
}

/**
 * The claims of ID tokens and of the UserInfo endpoint: who the user is, and the party or the roles
 * of an employee.
 */
export interface PersonClaims {
  [claim: string]: unknown
  sub: string
  party_id?: string
  roles?: readonly string[]
}

/** Returns the claims about a user. */
export function claimsOf({ username, partyId, employee }: Person): PersonClaims {
  return {
    sub: username,
    ...(partyId === null ? { roles: employee!.roles } : { party_id: partyId }),
  }
}
