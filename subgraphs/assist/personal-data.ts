import { erasedBody } from './conversation/transcript.ts'
import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

const sessionsOf = '$1 in (subject_party_id, acting_party_id)'
const ofSession = `session_id in (select session_id from assist.session where ${sessionsOf})`

/** Sessions of employees about a person, such as on a case of fraud. */
const isOfEmployee = 'acting_party_id is null'
const ofEmployee = `session_id in (select session_id from assist.session where ${isOfEmployee})`

declarePersonalData('assist', 'conversations with assistants', {
  'assist.message': {
    party: ofSession,
    rule: 'service',
    personal: {
      content: { category: 'communication', isInVault: true },
    },
    other: 'role finish_reason details',
    internal: ofEmployee,
    isDeleted: true,
  },
  'assist.tool_call': {
    party: ofSession,
    rule: 'service',
    personal: {
      args: { category: 'communication', isInVault: true },
      result: { category: 'communication', isInVault: true },
      reason: 'communication',
    },
    other: 'name requester_token',
    hidden: 'requester_token',
    internal: ofEmployee,
    isDeleted: true,
  },
  // The hashes stay, so that the transcript still shows that nothing else was changed.
  'assist.transcript_line': {
    party: ofSession,
    rule: 'service',
    personal: { body: { category: 'communication', erasedTo: `'${erasedBody}'` } },
    omitted: 'The messages and the tool calls have the same data.',
  },
  'assist.session': {
    party: sessionsOf,
    rule: 'service',
    personal: {
      // Without these values, what is masked in the transcript can no longer be restored.
      masks: 'communication',
      subject: 'communication',
      purpose: 'communication',
    },
    other: 'scopes opener_token channel locale model_alias busy_with end_reason',
    hidden: 'masks scopes opener_token busy_with',
    internal: isOfEmployee,
  },
  'assist.session_opener': null,
  'assist.consent': {
    party: 'party_id',
    rule: 'claim',
    personal: { evidence: 'communication' },
    other: 'provider',
  },
  'assist.kill_switch': null,
  'assist.assistant_version': null,
})
