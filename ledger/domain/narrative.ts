/** The descriptive part of an instruction. Decisions do not depend on it. */
export interface Narrative {
  rail: string | null
  endToEndId: string | null
  remittanceInformation: string | null
  counterparty: Record<string, unknown> | null
  metadata: Record<string, unknown> | null
}
