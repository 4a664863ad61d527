import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { contentsOf } from '../../../subgraphs/casework/contents/contents.ts'
import {
  mutate,
  ada,
  attaching,
  bank,
  caseIn,
  tryMutation,
  grace,
  helloContent,
  openBank,
  opening,
  readCase,
  readDocument,
  eventsOf,
  upload,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Documents for a delegated user', () => {
  const asAda = { caller: ada }

  test('permits attaching for their own party, and resumes a case that waits for the customer', async () => {
    const own = (await attaching('isShared: false', asAda)).data.act
    expect(own).toMatchObject({ partyId: 'pty_ada', isShared: true })
    expect((await attaching('partyId: "pty_grace"', asAda)).code).toBe('PARTY_NOT_FOUND')
    const caseId = await caseIn('waiting-for-customer')
    expect((await attaching(`caseId: "${caseId}"`, { caller: grace })).code).toBe('CASE_NOT_FOUND')
    expect((await attaching(`caseId: "${caseId}"`, asAda)).errors).toEqual([])
    expect((await readCase(caseId)).data.case.status).toBe('IN_PROGRESS')
    expect((await eventsOf(`case/${caseId}`)).slice(-2)).toEqual([
      'casework.case.document-attached',
      'casework.case.resumed',
    ])
  })

  test('permits adding versions to their own documents only, while the case is open', async () => {
    const caseId = await caseIn('waiting-for-customer')
    const documentOf = async (more: string, options = {}) =>
      (await attaching(more, options)).data.act.documentId as string
    const ofBank = await documentOf(`caseId: "${caseId}", isShared: true`)
    const own = await documentOf(`caseId: "${caseId}"`, asAda)
    const withoutCase = await documentOf('', asAda)
    const adding = (id: string, options = {}) =>
      tryMutation(
        `addDocumentVersion(input: { documentId: "${id}", content: "${helloContent}",
          fileName: "x", mediaType: "a/b" }) { latest { number } }`,
        {},
        options,
      )
    expect((await adding(ofBank, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    expect((await adding(own, { caller: grace })).code).toBe('DOCUMENT_NOT_FOUND')
    await mutate('waitForCustomer(caseId: $id, question: "Page 2?") { caseId }', { id: caseId })
    expect((await adding(own, asAda)).data.act.latest.number).toBe(2)
    const { status, timeline } = (await readCase(caseId, asAda)).data.case
    expect(status).toBe('IN_PROGRESS')
    expect(timeline.nodes.slice(-2)).toMatchObject([
      { kind: 'DOCUMENT', text: own, by: 'pty_ada' },
      { kind: 'RESUMED', by: 'pty_ada' },
    ])
    await mutate('withdrawCase(caseId: $id) { caseId }', { id: caseId })
    expect((await adding(own, asAda)).code).toBe('STATE_CONFLICT')
    expect((await adding(own)).errors).toEqual([])
    expect((await adding(withoutCase, asAda)).errors).toEqual([])
  })

  test('permits attaching their own uploads only', async () => {
    const { uploadId } = await upload(asAda)
    await contentsOf(bank.bank).put(uploadId, Buffer.from('x'))
    expect((await attaching(`uploadId: "${uploadId}"`, { caller: grace })).code).toBe(
      'UPLOAD_NOT_FOUND',
    )
    expect((await attaching(`uploadId: "${uploadId}"`, asAda)).errors).toEqual([])
  })

  test('shows only shared, not confidential documents, by id, in lists and as entities', async () => {
    const caseId = await caseIn('open')
    const shared = (await attaching(`caseId: "${caseId}", isShared: true`)).data.act.documentId
    const internal = (await attaching(`caseId: "${caseId}"`)).data.act.documentId
    const fraud = (await opening('caseType: FRAUD, partyId: "pty_ada"')).data.act.caseId
    const secret = (await attaching(`caseId: "${fraud}", isShared: true`)).data.act.documentId
    expect((await readDocument(shared, asAda)).errors).toEqual([])
    for (const id of [internal, secret, 'doc_none']) {
      expectAbsent(await readDocument(id, asAda))
    }
    expectAbsent(await readDocument(shared, { caller: grace }))
    const list = `query ($caseId: ID, $partyId: ID) {
      documents(caseId: $caseId, partyId: $partyId, first: 200) { nodes { documentId } } }`
    const ids = async (variables: object, options = {}) =>
      (await bank.execute(list, { ...variables }, options)).data.documents.nodes.map(
        ({ documentId }: any) => documentId,
      )
    expect(await ids({ caseId })).toEqual([shared, internal])
    expect(await ids({ caseId }, asAda)).toEqual([shared])
    expect(await ids({}, asAda)).not.toContain(secret)
    expect(await ids({ partyId: 'pty_ada' }, { caller: grace })).toEqual([])
    expect(await ids({ caseId }, { caller: grace })).toEqual([])
    const keys = [
      { __typename: 'Document', documentId: shared },
      { __typename: 'Document', documentId: internal },
      { __typename: 'Case', caseId },
      { __typename: 'Party', partyId: 'pty_ada' },
    ]
    const entities = `query ($keys: [_Any!]!) { _entities(representations: $keys) {
      ... on Document { documentId } ... on Case { documents { nodes { documentId } } }
      ... on Party { documents(first: 200) { nodes { documentId } } } } }`
    const seen = async (caller: typeof ada) =>
      (await bank.execute(entities, { keys }, { caller })).data._entities
    expect(await seen(grace)).toEqual([null, null, null, { documents: { nodes: [] } }])
    const [one, two, about, party] = await seen(ada)
    expect([one, two, about]).toEqual([
      { documentId: shared },
      null,
      { documents: { nodes: [{ documentId: shared }] } },
    ])
    expect(party.documents.nodes).toContainEqual({ documentId: shared })
    expect(party.documents.nodes).not.toContainEqual({ documentId: internal })
    const timeline = (await readCase(caseId, asAda)).data.case.timeline.nodes
    expect(timeline.map(({ text }: any) => text)).toEqual([null, shared])
  })

  test('denies placing and releasing legal holds, and hides them', async () => {
    const { documentId } = (await attaching('', asAda)).data.act
    for (const field of [
      `placeLegalHold(input: { documentId: "${documentId}", reason: "x" }) { status }`,
      `releaseLegalHold(documentId: "${documentId}") { status }`,
    ]) {
      expect((await tryMutation(field, {}, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    await mutate(`placeLegalHold(input: { documentId: "${documentId}", reason: "x" }) { status }`)
    expect((await readDocument(documentId, asAda)).data.document.legalHold).toBeNull()
  })
})
