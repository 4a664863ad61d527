import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns an identity that distinguishes a process from later processes with the same ID: its start
 * time, on Linux together with the boot ID. Returns null if the process does not run.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform !== 'linux') return ps(pid, 'lstart=')
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name (field 2) may contain spaces and parentheses. The state is field 3; the
    // start time is field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${fields[19]}`
  } catch {
    return null
  }
}

/** Returns the command line of a running process; null if the process has none or has ended. */
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
