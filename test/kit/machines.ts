/** Network namespaces that stand for machines, with a switch between them that can fail. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { projectRoot } from '../../kernel/environment/root.ts'

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })

/** Whether this account may create namespaces, and the programs for it are here. */
export const hasMachines = canCreate()
if (!hasMachines)
  console.warn('Tests of networks are skipped: be root, with ip, socat and python3.')

function canCreate(): boolean {
  const name = `bg${process.pid}t`
  const programs = [['python3', '--version'] as const, ['socat', '-V'] as const]
  if (!existsSync('/dev/net/tun')) return false
  if (programs.some(([program, flag]) => spawnSync(program, [flag]).status !== 0)) return false
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return false
  ip('netns', 'del', name)
  return true
}

export interface NetworkFaults {
  /** How late the packets from and to the machines `slow` are, and the share that is lost. */
  delayMs?: number
  loss?: number
  slow?: string[]
  /** Pairs of machines between which no packet passes. */
  cut?: [string, string][]
}

export type TouchedPackets = Record<'late' | 'lost' | 'cut', number>

/** Machines with names, and this process as one more, which all share a network. */
export class Machines {
  readonly #names: readonly string[]
  readonly #switch: ChildProcess
  readonly #answers: Interface
  readonly #subnet = `198.18.${process.pid % 250}`
  readonly #links: ChildProcess[] = []

  private constructor(names: readonly string[]) {
    this.#names = names
    const interfaces = ['', ...names].map((name) => interfaceOf(name))
    const script = join(projectRoot, 'test/kit/switch.py')
    this.#switch = spawn('python3', [script, ...interfaces], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#answers = createInterface(this.#switch.stdout!)
  }

  static async start(names: readonly string[]): Promise<Machines> {
    const machines = new Machines(names)
    await once(machines.#answers, 'line')
    const own = interfaceOf('')
    ip('address', 'add', `${machines.#subnet}.1/24`, 'dev', own)
    ip('link', 'set', own, 'up')
    for (const name of names) {
      const [space, device] = [interfaceOf(name), interfaceOf(name)]
      ip('netns', 'add', space)
      ip('link', 'set', device, 'netns', space)
      ip('-n', space, 'address', 'add', `${machines.addressOf(name)}/24`, 'dev', device)
      ip('-n', space, 'link', 'set', device, 'up')
      ip('-n', space, 'link', 'set', 'lo', 'up')
    }
    return machines
  }

  addressOf(name: string): string {
    return `${this.#subnet}.${this.#names.indexOf(name) + 2}`
  }

  /** Returns the beginning of a command line that runs a program on a machine. */
  commandOn(name: string): string[] {
    return ['ip', 'netns', 'exec', interfaceOf(name)]
  }

  /** Connects a port of a machine with an address for socat, such as a port of its loopback. */
  async link(name: string, port: number, target: string): Promise<void> {
    const listen = `TCP-LISTEN:${port},bind=${this.addressOf(name)},fork,reuseaddr`
    const [program, ...args] = [...this.commandOn(name), 'socat', listen, target]
    this.#links.push(spawn(program!, args, { stdio: 'ignore' }))
  }

  /** Replaces the faults of the network, and returns how many packets those before have touched. */
  async fail(faults: NetworkFaults): Promise<TouchedPackets> {
    const { delayMs = 0, loss = 0, slow = [], cut = [] } = faults
    const command = {
      delayMs,
      loss,
      slow: slow.map(interfaceOf),
      cut: cut.map((pair) => pair.map(interfaceOf)),
    }
    const answered = once(this.#answers, 'line') as Promise<[string]>
    this.#switch.stdin!.write(`${JSON.stringify(command)}\n`)
    const [answer] = await answered
    return JSON.parse(answer) as TouchedPackets
  }

  async close(): Promise<void> {
    for (const link of this.#links) link.kill()
    const ended = once(this.#switch, 'exit')
    this.#switch.stdin!.end()
    await ended
    for (const name of this.#names) ip('netns', 'del', interfaceOf(name))
  }
}

/** The name of an interface, at most 15 characters, and of the namespace that it is in. */
const interfaceOf = (name: string) => `bg${process.pid}${name}`
