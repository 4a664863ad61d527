interface Result {
  // What tools return has many shapes; each sentence reads its own.
  [member: string]: any
}

/** What a tool returned, in a sentence. Its figures are those of the tool, letter by letter. */
export function phrase(tool: string, content: string): string {
  const result = read(content)
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

function loan({ loanId, state, outstandingPrincipal, nextInstalment }: Result): string {
  const owed = `${loanId} is ${lower(state)}; ${outstandingPrincipal.amount} ${outstandingPrincipal.currency} of principal are owed.`
  if (!nextInstalment || Number(nextInstalment.payment.amount) === 0)
    return `${owed} No instalment is due any more.`
  const { dueDate, payment } = nextInstalment
  return `${owed} The next instalment of ${payment.amount} ${payment.currency} is due on ${dueDate}.`
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

function read(content: string): Result {
  try {
    const result = JSON.parse(content) as Result
    return result['untrusted'] ? (result['data'] as Result) : result
  } catch {
    return { error: 'the tool returned nothing that can be read.' }
  }
}
