import { reportError } from '../pages/errors/reportError'
import { hostBuild } from './install'
import { reportFault } from './report'

/** `/remotes/system/1f0c…/entry.js` is of that remote and build, everything else of the host. */
function ownerOf(file: string) {
  const [, name, build] = /\/remotes\/(\w+)\/([^/]+)\//.exec(file) ?? []
  return name && build ? { name, build } : { name: 'host', build: hostBuild }
}

/** What the page's policy forbids is counted with the build it is of, and kept in the error log. */
export function watchPolicy() {
  document.addEventListener('securitypolicyviolation', (violation) => {
    const { effectiveDirective, blockedURI, sample, sourceFile, lineNumber, columnNumber } =
      violation
    reportFault({ ...ownerOf(sourceFile || blockedURI), kind: 'violation' })
    const error = new Error(`${effectiveDirective} 禁止了 ${(sample || blockedURI).slice(0, 200)}`)
    error.name = 'PolicyViolation'
    error.stack = `${error.name}: ${error.message}\n    at ${sourceFile}:${lineNumber}:${columnNumber}`
    reportError(error)
  })
}
