import type { Bank } from '../../_kernel/bank.ts'
import type { Context } from '../../_kernel/context.ts'
import { hasSubject, unsendable } from '../domain/channel.ts'
import type { Notification } from '../domain/notification.ts'
import { fitPersonalization, type Variable } from '../domain/personalization.ts'
import { findTemplates } from '../store/template.ts'
import { compileWording, oneLine, renderWording, type Wording } from '../wording.ts'

interface Compiled {
  variables: readonly Variable[]
  wording: Wording
}

const mostRemembered = 1000
/**
 * Compiled templates per environment. Cached for good, because templates cannot change once they
 * were active.
 */
const remembered = new WeakMap<Bank, Map<string, Compiled>>()

/** The compiled templates of a batch. Those that are not cached are read in one query. */
export async function compiledFor(
  context: Context,
  batch: readonly Notification[],
): Promise<ReadonlyMap<string, Compiled>> {
  const memory = remembered.get(context.bank) ?? new Map<string, Compiled>()
  remembered.set(context.bank, memory)
  const templateIds = new Set(batch.map(({ templateId }) => templateId))
  const unknown = [...templateIds].filter((templateId) => !memory.has(templateId))
  if (unknown.length === 0) return memory
  if (memory.size + unknown.length > mostRemembered) memory.clear()
  const missing = [...templateIds].filter((templateId) => !memory.has(templateId))
  for (const template of await findTemplates(context, missing)) {
    const wording = compileWording(template.channel, template)
    memory.set(template.templateId, { variables: template.variables, wording })
  }
  return memory
}

export type Written = { subject: string | null; body: string } | { failure: string }

/** Renders a notification, or returns the reason why it cannot be rendered. */
export function write(
  notification: Notification,
  { variables, wording }: Compiled,
  partyName: string,
): Written {
  const { channel, personalization, subject: own } = notification
  try {
    const values = {
      partyName,
      ...(own !== null && { subject: own }),
      ...fitPersonalization(variables, personalization),
    }
    const { subject, body } = renderWording(wording, values)
    const failure = unsendable(channel, body)
    if (failure) return { failure }
    return { subject: hasSubject(channel) ? (own === null ? subject : oneLine(own)) : null, body }
  } catch {
    return { failure: 'rendering-failed' }
  }
}
