import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * What tells a process from every other one, also from a later one with the same number: the boot
 * and the moment it started. `null` when no such process lives.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform !== 'linux') return ps(pid, 'lstart=')
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name (field 2) may hold spaces and brackets; state is field 3 and the start field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${fields[19]}`
  } catch {
    return null
  }
}

/** The command line of a living process, `null` when it has none or is gone. */
export function commandLine(pid: number): string | null {
  if (process.platform !== 'linux') return ps(pid, 'args=')
  try {
    if (processIdentity(pid) === null) return null
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null
  } catch {
    return null
  }
}

function ps(pid: number, column: string): string | null {
  try {
    const flags = ['-ww', '-o', column, '-p', String(pid)]
    return execFileSync('ps', flags, { encoding: 'utf8', stdio: 'pipe' }).trim() || null
  } catch {
    return null
  }
}
