import type { KillSwitch } from '../model/tool-call.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'

export function findSwitch({ db }: Context, scope: string): Promise<KillSwitch | null> {
  return db.killSwitch.findUnique({ where: { scope } })
}

export function listSwitches({ db }: Context): Promise<KillSwitch[]> {
  return db.killSwitch.findMany({ orderBy: { scope: 'asc' } })
}

/**
 * Returns the scopes, among `scopes` and `all`, whose kill switch is active. The result is never
 * cached, so that a switch takes effect within a second.
 */
export async function findDisabledScopes(
  { db }: Context,
  scopes: readonly string[],
): Promise<string[]> {
  const rows = await db.killSwitch.findMany({
    where: { scope: { in: ['all', ...scopes] }, isOn: true },
  })
  return rows.map(({ scope }) => scope)
}

export function writeSwitch(before: KillSwitch | null, after: KillSwitch): Write {
  const { scope, isOn, reason, setBy, setAt } = after
  const changes = { is_on: isOn, reason, set_by: setBy, set_at: setAt }
  return before
    ? update('assist.kill_switch', { scope }, before.version, changes)
    : insert('assist.kill_switch', { scope, ...changes, version: 1 })
}
