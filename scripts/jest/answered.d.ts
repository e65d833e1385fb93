/** Types of the reporter, which Jest loads without compiling it. */
export default class AnsweredReporter {
  constructor(config: object, options?: { folder?: string })
  onRunStart(): void
  onRunComplete(contexts: Set<unknown>, results: object): void
  getLastError(): Error | undefined
}
