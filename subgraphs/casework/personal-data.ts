import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'
import type { RetentionRuleName } from '../../kernel/domain/retention.ts'
import { rulesOf } from './domain/case-type.ts'
import { CaseType, type RetentionClass } from './model/enumerations.ts'

const ofParty = 'case_id in (select case_id from casework.case_file where party_id = $1)'
const isConfidential = "case_type = 'fraud'"

/** The retention rules of cases, by the class of their documents. */
const ruleOf: Partial<Record<RetentionClass, RetentionRuleName>> = {
  contract: 'contract',
  'due-diligence': 'due-diligence',
}
const rules = ['complaint', 'contract', 'due-diligence'] as const

/** The conditions for the types of cases to which each retention rule applies. */
const retainedTypes = rules.map((rule) => {
  const types = CaseType.values.filter(
    (type) => (ruleOf[rulesOf[type].retentionClass] ?? 'complaint') === rule,
  )
  return { rule, isOfType: `case_type in (${types.map((type) => `'${type}'`).join(', ')})` }
})

declarePersonalData('casework', 'requests, complaints and documents', {
  'casework.case_entry': retainedTypes.map(({ rule, isOfType }) => ({
    party: `${ofParty} and case_id in (select case_id from casework.case_file where ${isOfType})`,
    rule,
    personal: { text: 'communication' },
    internal:
      'not is_shared or case_id in ' +
      `(select case_id from casework.case_file where ${isConfidential})`,
  })),
  'casework.task': null,
  'casework.case_file': retainedTypes.map(({ rule, isOfType }) => ({
    party: `party_id = $1 and ${isOfType}`,
    rule,
    personal: { title: 'communication', description: 'communication' },
    other: 'subjects priority outcome',
    internal: isConfidential,
  })),
  'casework.content': {
    party:
      "content_id = any(array(select jsonb_array_elements(versions) ->> 'contentId' " +
      'from casework.document where party_id = $1))',
    rule: 'contract',
    personal: {
      file_name: 'document',
      owner: { category: 'access', erasedTo: "'[erased]'", plain: plainReasons.sql },
    },
    other: 'media_type',
    omitted: 'The document has the same data.',
    erasable: {
      when:
        'not exists (select from casework.document d where d.held_at is not null ' +
        "and d.versions @> jsonb_build_array(jsonb_build_object('contentId', t.content_id)))",
      reason: 'A document with this content is under a legal hold.',
    },
  },
  'casework.document': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      title: 'document',
      versions: { category: 'document', members: 'fileName' },
      hold_reason: 'communication',
      // The job that erases documents then deletes the content.
      erase_at: {
        category: 'document',
        erasedTo: 'created_at',
        plain: plainReasons.date,
      },
    },
    internal: `not is_shared or case_id in (select case_id from casework.case_file where ${isConfidential})`,
    erasable: { when: 'held_at is null', reason: 'The document is under a legal hold.' },
  },
})
