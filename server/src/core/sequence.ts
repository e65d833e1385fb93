/** Runs jobs one after the other. A failed job rejects for its caller and does not stop the next ones. */
export function createSequence() {
  let lastJob: Promise<unknown> = Promise.resolve()
  return <T>(job: () => Promise<T>): Promise<T> => {
    const currentJob = lastJob.then(job)
    lastJob = currentJob.catch(() => {})
    return currentJob
  }
}
export type RunInSequence = ReturnType<typeof createSequence>
