/**
 * Reporter that fails a run in which a browser test prints an error or a warning: passing tests that print hide the
 * message that matters. A test that provokes one expects it with a spy. Jest passes no output on in a run of one file.
 */
export default class {
  printed = []

  onTestResult({ context, path }, { console: output, numFailingTests }) {
    if (context.config.displayName?.name !== 'browser' || numFailingTests > 0) return
    for (const { type, message } of output ?? [])
      if (type === 'error' || type === 'warn')
        this.printed.push(
          `${path.replace(`${context.config.rootDir}/`, '')}: ${firstLine(message)}`,
        )
  }

  getLastError() {
    if (this.printed.length > 0)
      return new Error(
        `这些测试往控制台输出了错误或警告：\n${[...new Set(this.printed)].join('\n')}`,
      )
  }
}

const firstLine = (message) => message.trim().split('\n')[0]
