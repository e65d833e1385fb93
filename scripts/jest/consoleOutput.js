/**
 * Reporter that names at the end which browser tests printed an error or a warning, because such blocks hide the message
 * that matters. A test that provokes one expects it with a spy. It does not fail the run: React warns of updates outside
 * `act` depending on timing, and a slow machine would fail without a defect. Jest hands over no output in a run of one
 * file.
 */
export default class {
  printed = new Set()

  onTestResult({ context, path }, { console: output, numFailingTests }) {
    if (context.config.displayName?.name !== 'browser' || numFailingTests > 0) return
    for (const { type, message } of output ?? [])
      if (type === 'error' || type === 'warn')
        this.printed.add(
          `${path.replace(`${context.config.rootDir}/`, '')}: ${readFirstLine(message)}`,
        )
  }

  onRunComplete() {
    if (this.printed.size > 0)
      process.stderr.write(
        `\n⚠ 这些测试往控制台输出了错误或警告：\n${[...this.printed].join('\n')}\n`,
      )
  }
}

const readFirstLine = (message) => message.trim().split('\n')[0]
