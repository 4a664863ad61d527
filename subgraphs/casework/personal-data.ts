import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

const ofParty = 'case_id in (select case_id from casework.case_file where party_id = $1)'
const isConfidential = "case_type = 'fraud'"

declarePersonalData('casework', 'requests, complaints and documents', {
  'casework.case_entry': {
    party: ofParty,
    rule: 'complaint',
    personal: { text: 'communication' },
    internal:
      'not is_shared or case_id in ' +
      `(select case_id from casework.case_file where ${isConfidential})`,
  },
  'casework.task': null,
  'casework.case_file': {
    party: 'party_id',
    rule: 'complaint',
    personal: { title: 'communication', description: 'communication' },
    other: 'subjects priority outcome',
    internal: isConfidential,
  },
  'casework.content': {
    party:
      "content_id in (select jsonb_array_elements(versions) ->> 'contentId' " +
      'from casework.document where party_id = $1)',
    rule: 'contract',
    personal: { file_name: 'document', owner: { category: 'access', erasedTo: "'[erased]'" } },
    other: 'media_type',
    omitted: 'The document has the same data.',
  },
  'casework.document': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      title: 'document',
      versions: { category: 'document', members: 'fileName' },
      hold_reason: 'communication',
      // The job that erases documents then deletes the content.
      erase_at: { category: 'document', erasedTo: 'created_at' },
    },
    internal: `not is_shared or case_id in (select case_id from casework.case_file where ${isConfidential})`,
    erasable: { when: 'held_at is null', reason: 'The document is under a legal hold.' },
  },
})
