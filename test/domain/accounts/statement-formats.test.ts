/** Statements as files: CSV and camt.053. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  statementAsCamt053,
  statementAsCsv,
} from '../../../subgraphs/accounts/files/statement-formats.ts'
import { entry, statement } from './statement-kit.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => ['Bal', 'Ntry', 'Ustrd'].includes(name),
})
const parsed = (xml: string) => parser.parse(xml).Document.BkToCstmrStmt.Stmt

describe('camt.053', () => {
  test('has the account, the period, the balances with their sign, and the totals', () => {
    const found = parsed(statementAsCamt053(statement([entry()])))
    expect(found).toMatchObject({
      Id: '400440532013000-20900101-20900131',
      FrToDt: { FrDtTm: '2090-01-01T00:00:00Z', ToDtTm: '2090-01-31T23:59:59.999Z' },
      Acct: { Id: { IBAN: 'DE89370400440532013000' }, Ccy: 'EUR' },
      TxsSummry: {
        TtlCdtNtries: { NbOfNtries: '1', Sum: '5.00' },
        TtlDbtNtries: { NbOfNtries: '0', Sum: '0.00' },
      },
    })
    const balances = found.Bal.map(({ Tp, Amt, CdtDbtInd, Dt }: any) => [
      Tp.CdOrPrtry.Cd,
      Amt['#text'],
      Amt['@_Ccy'],
      CdtDbtInd,
      Dt.Dt,
    ])
    expect(balances).toEqual([
      ['OPBD', '1.00', 'EUR', 'DBIT', '2090-01-01'],
      ['CLBD', '4.00', 'EUR', 'CRDT', '2090-01-31'],
    ])
  })

  test.each([
    ['credit', 'CRDT', 'Dbtr', 'DbtrAcct', 'CdtrAcct'],
    ['debit', 'DBIT', 'Cdtr', 'CdtrAcct', 'DbtrAcct'],
  ] as const)('names the counterparty of a %s', (side, indicator, party, account, own) => {
    const [found] = parsed(statementAsCamt053(statement([entry({ side })]))).Ntry
    expect(found).toMatchObject({
      NtryRef: '7',
      CdtDbtInd: indicator,
      BookgDt: { Dt: '2090-01-03' },
      ValDt: { Dt: '2090-01-02' },
      AcctSvcrRef: 'pin_1',
    })
    expect(found.NtryDtls.TxDtls).toMatchObject({
      Refs: { EndToEndId: 'E2E-1' },
      RltdPties: {
        [party]: { Pty: { Nm: 'Ada & Söhne' } },
        [account]: { Id: { IBAN: 'GB33BUKB20201555555555' } },
        [own]: { Id: { IBAN: 'DE89370400440532013000' } },
      },
      RmtInf: { Ustrd: ['Rent'] },
    })
  })

  test('keeps the order of elements that the message definition requires', () => {
    const xml = statementAsCamt053(statement([entry()]))
    const inOrder = (...names: string[]) => {
      const places = names.map((name) => xml.indexOf(`<${name}>`))
      expect(places).toEqual([...places].sort((a, b) => a - b))
      expect(Math.min(...places)).toBeGreaterThan(0)
    }
    inOrder('GrpHdr', 'Stmt', 'FrToDt', 'Acct', 'Bal', 'TxsSummry', 'Ntry')
    inOrder(
      'NtryRef',
      'Sts',
      'BookgDt',
      'ValDt',
      'BkTxCd',
      'NtryDtls',
      'Refs',
      'RltdPties',
      'RmtInf',
    )
  })

  test('leaves out what is not known', () => {
    const unknown = entry({
      endToEndId: null,
      remittanceInformation: null,
      counterparty: { name: null, iban: null },
    })
    const [found] = parsed(statementAsCamt053(statement([unknown]))).Ntry
    const { Dbtr, DbtrAcct, CdtrAcct } = found.NtryDtls.TxDtls.RltdPties
    expect([Dbtr, DbtrAcct]).toEqual([undefined, undefined])
    expect(CdtrAcct).toBeDefined()
    expect(found.NtryDtls.TxDtls).not.toHaveProperty('RmtInf')
    expect(found.NtryDtls.TxDtls.Refs.EndToEndId).toBe('NOTPROVIDED')
  })

  test('is well-formed and keeps every printable character, whatever people wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const xml = statementAsCamt053(
          statement([
            entry({ remittanceInformation: text, counterparty: { name: text, iban: null } }),
          ]),
        )
        expect(XMLValidator.validate(xml)).toBe(true)
        const [found] = parsed(xml).Ntry
        const parts: string[] = found.NtryDtls.TxDtls.RmtInf?.Ustrd ?? []
        const kept = text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ')
        expect(parts.join('')).toBe(kept)
        for (const part of parts) expect(Array.from(part).length).toBeLessThanOrEqual(140)
      }),
    )
  })
})

describe('CSV', () => {
  test('has one line per entry, with negative debits', () => {
    const lines = statementAsCsv(statement([entry(), entry({ side: 'debit', sequence: 8 })]))
    expect(lines.split('\r\n')).toEqual([
      'booking_date,value_date,amount,currency,balance_after,counterparty_name,counterparty_iban,remittance_information,end_to_end_id,posting_instruction_id,entry_number',
      '2090-01-03,2090-01-02,5.00,EUR,4.00,Ada & Söhne,GB33BUKB20201555555555,Rent,E2E-1,pin_1,7',
      '2090-01-03,2090-01-02,-5.00,EUR,4.00,Ada & Söhne,GB33BUKB20201555555555,Rent,E2E-1,pin_1,8',
      '',
    ])
  })
})
