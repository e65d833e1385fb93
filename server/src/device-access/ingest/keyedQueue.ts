/** Runs jobs with the same key one after the other, in the order of arrival. */
export function createKeyedQueue() {
  const lastJobByKey = new Map<string, Promise<void>>()
  return (key: string, job: () => Promise<unknown>) => {
    const currentJob = (lastJobByKey.get(key) ?? Promise.resolve()).then(job).then(() => {
      if (lastJobByKey.get(key) === currentJob) lastJobByKey.delete(key)
    })
    lastJobByKey.set(key, currentJob)
    return currentJob
  }
}
