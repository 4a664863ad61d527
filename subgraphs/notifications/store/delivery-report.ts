import type { Context } from '../../../kernel/environment/context.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'

/** A report of a provider about the delivery of one message. */
export interface DeliveryReport {
  provider: string
  messageId: string
  status: string
  reportedAt: Date
  receivedAt: Date
}

/** Returns whether the same report was received before. */
export async function isReported(
  context: Context,
  { provider, messageId, status }: DeliveryReport,
): Promise<boolean> {
  const where = { provider_messageId_status: { provider, messageId, status } }
  return (await context.db.deliveryReport.findUnique({ where })) !== null
}

export function insertReport(report: DeliveryReport): Write {
  return insert('notifications.delivery_report', {
    provider: report.provider,
    message_id: report.messageId,
    status: report.status,
    reported_at: report.reportedAt,
    received_at: report.receivedAt,
  })
}
