import { Missing, Time } from '../../parts/values.tsx'

/** The step that is taken next if nothing is paid, and when. */
export const NextStep = ({ step }: { step: { code: string; on: string | null } | null }) =>
  step ? (
    <>
      {step.code}
      {step.on && (
        <>
          {' '}
          on <Time value={step.on} />
        </>
      )}
    </>
  ) : (
    <Missing />
  )
