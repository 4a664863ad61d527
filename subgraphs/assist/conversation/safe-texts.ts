/** The fixed answers that replace the answer of the model, by reason. */
export const safeTexts = {
  input: 'I cannot help with that. I can look up accounts, entries, loans and cases.',
  output: 'I cannot answer that reliably. Please contact the bank.',
  approval: 'This needs the approval of another person. I will continue when it is given.',
  steps: 'I could not find the answer in a reasonable number of steps.',
  'kill-switch': 'This assistant was disabled.',
  'consent-withdrawn': 'The consent to share data with this assistant was withdrawn.',
} as const
