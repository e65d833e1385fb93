import { reportError } from './reportError'
import { hostBuild } from '../../federation/install'
import { reportFault } from '../../federation/buildReports'

/**
 * Finds the build of a file: `/remotes/system/1f0c…/entry.js` belongs to remote `system`, all other files to the host.
 */
function findBuildByFile(file: string) {
  const [, name, build] = /\/remotes\/(\w+)\/([^/]+)\//.exec(file) ?? []
  return name && build ? { name, build } : { name: 'host', build: hostBuild }
}

/** Reports violations of the content security policy per build and to the error log. */
export function watchPolicy() {
  document.addEventListener('securitypolicyviolation', (violation) => {
    const { effectiveDirective, blockedURI, sample, sourceFile, lineNumber, columnNumber } =
      violation
    reportFault({ ...findBuildByFile(sourceFile || blockedURI), kind: 'violation' })
    const error = new Error(`${effectiveDirective} 禁止了 ${(sample || blockedURI).slice(0, 200)}`)
    error.name = 'PolicyViolation'
    error.stack = `${error.name}: ${error.message}\n    at ${sourceFile}:${lineNumber}:${columnNumber}`
    reportError(error)
  })
}
