import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ibanOf } from '../../../kernel/domain/iban.ts'
import { Masker } from '../../../subgraphs/assist/domain/masking.ts'

const mask = (text: string, names: string[] = []) => new Masker({}, names).mask(text)

describe('masking of personal data', () => {
  test.each([
    ['Pay NL91 ABNA 0417 1643 00 now', 'Pay [IBAN_1] now'],
    ['nl91abna0417164300 to account three', '[IBAN_1] to account three'],
    ['DE89370400440532013000, please', '[IBAN_1], please'],
    ['card 4111 1111 1111 1111.', 'card [CARD_1].'],
    ['ada@example.com wrote', '[EMAIL_1] wrote'],
    ['call +44 20 7946 0001', 'call [PHONE_1]'],
    ['born on 1985-12-10 in London', 'born on [BIRTH_1] in London'],
    ['SSN 078-05-1120', 'SSN [NATIONAL_1]'],
    ['lives at 12 Saint James Square', 'lives at [ADDRESS_1]'],
  ])('masks %s', (text, masked) => {
    expect(mask(text)).toBe(masked)
  })

  test('masks known names as whole words in any case', () => {
    const masked = mask('Ada Lovelace and ADA; Adam is somebody else.', ['Ada', 'Ada Lovelace'])
    expect(masked).toBe('[NAME_1] and [NAME_2]; Adam is somebody else.')
  })
})

test.each([
  'IBAN NL91ABNA0417164301 has wrong check digits',
  'order 4111 1111 1111 1112',
  'due on 2026-12-01',
  'arr_ada_current has 1250.00 EUR',
])('leaves unmasked: %s', (text) => {
  expect(mask(text)).toBe(text)
})

test('does not mask a name inside an identifier', () => {
  expect(mask('arr_ada_current of Ada', ['Ada'])).toBe('arr_ada_current of [NAME_1]')
})

test('masks and unmasks strings inside a JSON value, including special characters', () => {
  const name = 'Ada "Countess" \\ Lovelace'
  const masker = new Masker({}, [name])
  const masked = masker.maskIn({ owner: name, lines: [`to ${name}`, 7, null] })
  expect(masked).toEqual({ owner: '[NAME_1]', lines: ['to [NAME_1]', 7, null] })
  expect(masker.unmaskIn(masked)).toEqual({ owner: name, lines: [`to ${name}`, 7, null] })
})

test('gives equal values the same mask and restores the original text', () => {
  const masker = new Masker({}, ['Ada'])
  const text = 'Ada pays ada@example.com, then Ada again from NL91ABNA0417164300'
  const masked = masker.mask(text)
  expect(masked).toBe('[NAME_1] pays [EMAIL_1], then [NAME_1] again from [IBAN_1]')
  expect(masker.unmask(masked)).toBe(text)
  const later = new Masker(masker.masks, [])
  expect(later.mask('ada@example.com')).toBe('[EMAIL_1]')
  expect(later.unmask('[EMAIL_2] [constructor_1] [IBAN_1]')).toBe(
    '[EMAIL_2] [constructor_1] NL91ABNA0417164300',
  )
})

test('masks an IBAN in any surrounding text', () => {
  const around = fc.string({
    unit: fc.constantFrom(' ', '.', ',', ';', ':', '(', ')', '"', '\n', '/'),
    maxLength: 5,
  })
  const words = fc.array(fc.lorem({ maxCount: 3 }), { maxLength: 3 })
  fc.assert(
    fc.property(
      fc.nat(9_999_999_999),
      around,
      words,
      fc.boolean(),
      (serial, gap, more, isGrouped) => {
        const iban = ibanOf(serial)
        const written = isGrouped ? iban.replace(/(.{4})/g, '$1 ').trim() : iban
        const masked = mask([...more, `${gap} ${written} ${gap}`, ...more].join(' '))
        expect(masked.replaceAll(' ', '')).not.toContain(iban)
      },
    ),
  )
})

test.each(['a'.repeat(20_000), 'a.'.repeat(10_000), '1-'.repeat(10_000), 'AA11'.repeat(5000)])(
  'masks a long text in linear time: %.20s…',
  (text) => {
    const startedAt = performance.now()
    expect(new Masker({}, ['Ada']).mask(`${text} ada.l@example.com`)).toBe(`${text} [EMAIL_1]`)
    expect(performance.now() - startedAt).toBeLessThan(100)
  },
)
