/** What came with an instruction and is not for the books to decide on. */
export interface Narrative {
  rail: string | null
  endToEndId: string | null
  remittanceInformation: string | null
  counterparty: Record<string, unknown> | null
  metadata: Record<string, unknown> | null
}
