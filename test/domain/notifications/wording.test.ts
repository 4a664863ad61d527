import { expect, test } from 'vitest'
import type { Channel } from '../../../subgraphs/notifications/model/channel.ts'
import type { Scalar } from '../../../subgraphs/notifications/domain/personalization.ts'
import { defaultBody, defaultSubject } from '../../../subgraphs/notifications/domain/template.ts'
import {
  compileWording,
  oneLine,
  renderWording,
  requireWording,
} from '../../../subgraphs/notifications/commands/wording.ts'

const content = (body: string, ...names: string[]) => ({
  subject: null,
  body,
  variables: names.map((name) => ({ name, type: 'string' as const, required: true, pii: false })),
})

function render(channel: Channel, body: string, values: Record<string, Scalar> = {}) {
  return renderWording(compileWording(channel, { ...content(body), subject: body }), values)
}

test.each([
  '{% include "../../etc/passwd" %}',
  '{% render "x" %}',
  '{% layout "x" %}',
  '{% block a %}{% endblock %}',
  '{{ a | raw }}',
  '{{ a | sample }}',
  '{{ a | nope }}',
  '{% nope %}',
  '{{ a',
  '{% if a %}',
])('rejects the template %s', (body) => {
  expect(() => requireWording(content(body, 'a'))).toThrow(
    expect.objectContaining({ code: 'TEMPLATE_INVALID' }),
  )
})

test.each([
  ['{{ b }}', ['b']],
  ['{{ a }}{% if c.d %}{% endif %}', ['c']],
  ['{% assign x = b | append: c %}{{ x }}', ['b', 'c']],
  ['{% for i in list %}{{ i }}{% endfor %}', ['list']],
  ['{{ a[b] }}', ['b']],
  ['{{ process.env.PATH }}', ['process']],
  ['{{ constructor }}', ['constructor']],
])('rejects undeclared variables of %s by name', (body, names) => {
  try {
    requireWording(content(body, 'a'))
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNDECLARED_VARIABLE' })
    const { errors } = (error as { members: { errors: { detail: string }[] } }).members
    expect(errors.map(({ detail }) => detail.split(' ')[1])).toEqual(names)
  }
})

test.each(['{{ a }}', '{% if a %}{{ subject }}{% endif %}', '{{ partyName }}', defaultBody])(
  'accepts the template %s',
  (body) => {
    expect(() => requireWording(content(body, 'a', 'message'))).not.toThrow()
  },
)

test('the default body and subject render without values', () => {
  expect(render('sms', defaultBody, {}).body).toBe('You have a new message from your bank.')
  expect(render('sms', defaultSubject, {}).subject).toBe('A message from your bank')
})

test.each(['{{ a }}', '{% echo a %}', '{% assign b = a %}{{ b }}', '{% liquid\necho a\n%}'])(
  'escapes values in HTML e-mail only: %s',
  (body) => {
    const a = `<script>alert('1')</script>&"`
    expect(render('email', body, { a }).body.trim()).toBe(
      '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&#34;',
    )
    expect(render('sms', body, { a }).body.trim()).toBe(a)
  },
)

test.each(['{{ b }}', '{% include "x" %}', '{{ 7 | times: 7 }}', '{{', '%}'])(
  'does not evaluate a value that looks like a template: %s',
  (a) => {
    expect(render('sms', '{{ a }}', { a, b: 'secret' }).body).toBe(a)
  },
)

test.each([
  '{{ a.constructor }}',
  '{{ a.__proto__ }}',
  '{{ a.constructor.prototype }}',
  '{{ toString }}',
  '{{ __proto__ }}',
])('gives no access beyond the values: %s', (body) => {
  expect(render('sms', body, { a: 'x' }).body).toBe('')
})

test.each([
  '{% for i in (1..1000000000) %}x{% endfor %}',
  '{% for i in (1..50000) %}{% for j in (1..50000) %}{% endfor %}{% endfor %}',
  '{% assign s = "xxxxxxxxxxxxxxxx" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}',
])('stops a template that would block the process: %s', (body) => {
  const startedAt = Date.now()
  expect(() => render('sms', body)).toThrow(/limit/)
  expect(Date.now() - startedAt).toBeLessThan(5000)
})

test('a subject is one line, whatever the values contain', () => {
  const a = 'Hello\r\nBcc: eve@example.com\n\nbody\u2028end\0'
  expect(render('email', '{{ a }}', { a }).subject).toBe('Hello Bcc: eve@example.com body end')
  expect(oneLine('\t a \n')).toBe('a')
})
