/** Guarantors in the states in which persons decide on them. */
import { unique, type SampleBank } from '../contract/kit.ts'
import { create, prepared, type Act, type Prepared } from './persons-kit.ts'
import { aLateLoan, ahead } from './records-of-persons.ts'

const actAs =
  (bank: SampleBank, subject: string): Act =>
  (document) =>
    bank.act(document, {}, { token: bank.token({ subject }) })

/** The input of a guarantor of a loan with a late installment. */
async function aNewGuarantor(bank: SampleBank): Promise<string> {
  const partyId = unique('pty')
  await bank.act(`mutation { createParty(input: { partyId: "${partyId}", kind: PERSON,
    givenName: "Gil", familyName: "Guarantor" }) { partyId } }`)
  return `input: { facilityId: "${await aLateLoan(bank)}", partyId: "${partyId}", role: GUARANTOR,
    amount: "100.00", documentId: "doc_guarantee" }`
}

const aGuarantor = async (bank: SampleBank) =>
  create(actAs(bank, 'ruth'), `addFacilityObligor(${await aNewGuarantor(bank)})`, 'obligorId')

const aNewCall = async (bank: SampleBank) =>
  `input: { obligorId: "${await aGuarantor(bank)}", amount: "5.00", dueOn: "${ahead(5)}" }`

const aCall = async (bank: SampleBank) =>
  create(actAs(bank, 'ruth'), `callGuarantee(${await aNewCall(bank)})`, 'guaranteeCallId')

async function aProposedRelease(bank: SampleBank, act: Act): Promise<string> {
  const id = await aGuarantor(bank)
  await act(`mutation { proposeObligorRelease(obligorId: "${id}", reason: "Secured") { status } }`)
  return `(obligorId: "${id}") { status }`
}

export function guaranteeMutations(bank: SampleBank): Prepared[] {
  return [
    prepared('addFacilityObligor', async () => `(${await aNewGuarantor(bank)}) { status }`),
    prepared('callGuarantee', async () => `(${await aNewCall(bank)}) { status }`),
    prepared('withdrawGuaranteeCall', async () => {
      return `(guaranteeCallId: "${await aCall(bank)}", reason: "Paid") { status }`
    }),
  ]
}

export function guaranteeDecisions(bank: SampleBank): Prepared[] {
  return [
    prepared('approveObligorRelease', (act) => aProposedRelease(bank, act)),
    prepared('rejectObligorRelease', (act) => aProposedRelease(bank, act)),
  ]
}
