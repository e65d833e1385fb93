import { Component, type ErrorInfo, type ReactNode } from 'react'
import { asLoadFailure, isLoadFailure } from '../../federation/failure'
import { hostBuild } from '../../federation/install'
import { LoadFailed } from './LoadFailed'
import { reportFault } from '../../federation/buildReports'
import { toSitePath } from '@iot/shared/contract/platform/siteAddress'
import { paths } from '@iot/shared/screens/paths'
import { toError, reportError } from './reportError'
import * as styles from './crash.module.css'

/** The outermost error boundary reports errors that no route handles and offers a reload. */
export class CrashBoundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {}
  static getDerivedStateFromError = (error: unknown) => ({ error: toError(error) })

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    if (isLoadFailure(error)) return
    reportError(error, componentStack ?? '')
    reportFault({ name: 'host', build: hostBuild, kind: 'crash' })
  }

  readonly retryRender = async () => this.setState({ error: undefined })

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    if (isLoadFailure(error))
      return <LoadFailed failure={asLoadFailure(error)} onRetry={this.retryRender} />
    return (
      <main className={styles.crash} role="alert">
        <h1>页面出错了</h1>
        <p>错误已记录，请重新加载；若仍出现，请把下面这行告诉管理员。</p>
        <code>
          {error.name}: {error.message}
        </code>
        <p>
          <button type="button" onClick={() => location.reload()}>
            重新加载
          </button>
          <a href={toSitePath(paths.home())}>回到首页</a>
        </p>
      </main>
    )
  }
}
