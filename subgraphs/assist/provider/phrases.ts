interface Result {
  // Every tool has a different result, so each phrase reads the properties it needs.
  [member: string]: any
}

/** Puts the result of a tool into sentences. Figures are copied verbatim. */
export function phrase(tool: string, content: string): string {
  const result = parseResult(content)
  if (result['error']) return `That did not work: ${result['error']}`
  switch (tool) {
    case 'list_accounts':
      return accounts(result)
    case 'get_balance':
      return `${result['arrangementId']} has ${money(result, 'committed')}, of which ${money(result, 'available')} are available.`
    case 'list_entries':
      return entries(result)
    case 'get_loan':
      return loan(result)
    case 'get_case':
      return `Case ${result['caseId']} "${result['title']}" is ${lower(result['status'])}.`
    case 'read_document':
      return `The document "${result['title']}" has ${result['text']?.length ? 'this text' : 'no text I can read'}: ${result['text'] ?? ''}`.slice(
        0,
        2000,
      )
    case 'preview_drawdown':
      return `After drawing ${money(result, 'amount')} there would be ${money(result, 'availableLimitAfter')} left to draw. Nothing was drawn.`
    case 'get_payoff':
      return payoff(result)
    case 'get_application':
      return application(result)
    case 'preview_extra_payment':
      return `${effect(result, `Paying ${money(result, 'amount')} extra on ${result['paymentDate']} would save ${money(result, 'interestSaved')} of interest`)} Nothing was paid.`
    case 'preview_payment_holiday':
      return `${effect(result, `A pause from ${result['startDate']} to ${result['endDate']} would cost ${result['additionalCost'] ? money(result, 'additionalCost') : 'nothing'}`)} Nothing was paused.`
    case 'make_extra_payment':
      return `The extra payment ${result['extraPaymentId']} of ${money(result, 'amount')} is ${lower(result['status'])}.`
    case 'request_payment_holiday':
      return `The payment holiday ${result['paymentHolidayId']} from ${result['startDate']} to ${result['endDate']} is ${lower(result['status'])}.`
    case 'transfer':
      return `The transfer ${result['paymentId']} is ${lower(result['state'])}.`
    default:
      return 'It is done.'
  }
}

function accounts({ accounts: found = [] }: Result): string {
  if (found.length === 0) return 'There are no accounts.'
  return found
    .map(
      (each: Result) =>
        `${each['arrangementId']} (${lower(each['state'])}): ${each['balances']
          .map((balance: Result) => `${balance['committed']} ${balance['currency']}`)
          .join(', ')}`,
    )
    .join('\n')
}

function entries({ arrangementId, entries: found = [] }: Result): string {
  if (found.length === 0) return `There are no entries on ${arrangementId}.`
  const lines = found.map(
    (entry: Result) =>
      `${entry['valueDate']}: ${lower(entry['side'])} ${entry['amount']} ${entry['currency']}`,
  )
  return `The latest entries of ${arrangementId}:\n${lines.join('\n')}`
}

function loan({ loanId, state, outstandingPrincipal, nextInstallment }: Result): string {
  const summary = `${loanId} is ${lower(state)}; ${outstandingPrincipal.amount} ${outstandingPrincipal.currency} of principal are owed.`
  if (!nextInstallment || Number(nextInstallment.payment.amount) === 0)
    return `${summary} No installment is due any more.`
  const { dueDate, payment } = nextInstallment
  return `${summary} The next installment of ${payment.amount} ${payment.currency} is due on ${dueDate}.`
}

function payoff({ loanId, payoffQuote }: Result): string {
  if (!payoffQuote) return `There is nothing to pay off on ${loanId}.`
  const { on, principal, interest } = payoffQuote
  return (
    `${money(payoffQuote, 'total')} pay ${loanId} off on ${on}: ` +
    `${principal.amount} of principal and ${interest.amount} of interest.`
  )
}

function application(result: Result): string {
  const { applicationId, status, decisionDueBy } = result
  const isOpen = ['SUBMITTED', 'IN_REVIEW'].includes(status as string)
  const due = isOpen && decisionDueBy ? ` A decision is due by ${decisionDueBy}.` : ''
  return `The application ${applicationId} is ${lower(status)}.${due}`
}

/** Completes a sentence about a change with its effect on the schedule, if it is known. */
function effect({ before, after }: Result, change: string): string {
  if (!before || !after) return `${change}.`
  return (
    `${change}. The next installment would be ${money(after, 'installment')} instead of ` +
    `${money(before, 'installment')}, the last one on ${after.maturityDate} instead of ${before.maturityDate}.`
  )
}

function money(result: Result, member: string): string {
  const value = result[member] as { amount: string; currency: string } | string
  return typeof value === 'string'
    ? `${value} ${result['currency']}`
    : `${value.amount} ${value.currency}`
}

function lower(text: unknown): string {
  return String(text).toLowerCase().replaceAll('_', ' ')
}

function parseResult(content: string): Result {
  try {
    const result = JSON.parse(content) as Result
    return result['untrusted'] ? (result['data'] as Result) : result
  } catch {
    return { error: 'the tool returned nothing that can be read.' }
  }
}
