/** The note for the person who decides. */

/** Returns the note on an application: its figures first, then what speaks against an approval. */
export function briefingOf(application) {
  const { requestedAmount, termMonths, employedMonths, recommendation } = application
  const { amount, currency } = requestedAmount
  const concerns = [
    ...(recommendation?.rules ?? [])
      .filter(({ result }) => result !== 'pass')
      .map(({ rule, result }) => `The rule "${rule}" says: ${result}.`),
    ...(employedMonths === null ? ['The length of the employment is not stated.'] : []),
  ]
  return [
    `Requested: ${amount} ${currency} over ${termMonths} months.`,
    `Principal alone: ${perMonth(amount, termMonths)} ${currency} a month.`,
    shareLine(application),
    policyLine(recommendation),
    ...(concerns.length > 0 ? concerns : ['Nothing speaks against an approval.']),
    'Prepared by a program. A person decides.',
  ].join('\n')
}

function shareLine({ requestedAmount, termMonths, monthlyIncome, monthlyObligations }) {
  if (!monthlyIncome) return 'The income is not stated.'
  const installment = Number(requestedAmount.amount) / termMonths
  const burden = Number(monthlyObligations?.amount ?? 0) + installment
  const percent = Math.round((100 * burden) / Number(monthlyIncome.amount))
  return `With other obligations, that is ${percent} % of the income, before interest.`
}

function policyLine(recommendation) {
  if (!recommendation) return 'The credit policy has made no recommendation.'
  const { outcome, policyVersion, score } = recommendation
  const cutoff = score.cutoff === null ? '' : ` (approval from ${score.cutoff})`
  return `Policy ${policyVersion} recommends ${outcome}, with a score of ${score.value}${cutoff}.`
}

/**
 * @param {string} amount
 * @param {number} months
 */
const perMonth = (amount, months) => (Number(amount) / months).toFixed(2)
