import Button from 'antd/es/button'
import { useAtomValue } from 'jotai'
import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react'
import { Link, useLocation, useMatches } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import { store } from '@iot/shared/session/store'
import { retryAddress } from '../federation/mountedRemotes'
import { hostBuild } from '../federation/install'
import { screenFailedAtom, developmentSwapsAtom, updateNoticeAtom } from '../federation/states'
import { reportFault } from '../federation/buildReports'
import { Notice } from '../pages/errors/Notice'
import { toError, reportError } from '../pages/errors/reportError'
import { findRemoteByPath } from '../remotes'

/**
 * Surrounds the screen, so that menu and header survive a failed render. Another address, a new build or 重试 renders the
 * screen again.
 */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const builds = useMatches().map(({ handle }) => (handle as { build?: string } | undefined)?.build)
  const build = builds.find((candidate) => candidate !== undefined) ?? hostBuild
  return (
    <ScreenErrorBoundary
      place={`${build} ${useAtomValue(developmentSwapsAtom)} ${pathname}`}
      build={build}
      path={pathname}
    >
      {children}
    </ScreenErrorBoundary>
  )
}

type BoundaryProps = { place: string; build: string; path: string; children: ReactNode }
type BoundaryState = { place?: string; error?: Error }

class ScreenErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {}
  static getDerivedStateFromError = (error: unknown) => ({ error: toError(error) })
  static getDerivedStateFromProps = ({ place }: BoundaryProps, state: BoundaryState) =>
    state.place === place ? null : { place, error: undefined }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    const { build, path } = this.props
    reportError(error, componentStack ?? '')
    reportFault({ name: findRemoteByPath(path)?.name ?? 'host', build, kind: 'crash' })
    // The error is also reported globally, so that listeners on the window see it as if it were uncaught.
    window.reportError(error)
  }
  readonly retryRender = () => retryAddress().then(() => this.setState({ error: undefined }))

  override render() {
    const { error } = this.state
    const { build, path, children } = this.props
    return error ? (
      <ScreenFailure error={error} build={build} path={path} onRetry={this.retryRender} />
    ) : (
      children
    )
  }
}

type FailedProps = { error: Error; build: string; path: string; onRetry: () => Promise<void> }

function ScreenFailure({ error, build, path, onRetry }: FailedProps) {
  const remote = findRemoteByPath(path)
  useEffect(() => {
    store.set(screenFailedAtom, true)
    return () => store.set(screenFailedAtom, false)
  }, [])
  useEffect(
    () =>
      store.sub(updateNoticeAtom, () => {
        if (store.get(updateNoticeAtom) === remote?.name) void onRetry().catch(reportError)
      }),
    [remote, onRetry],
  )
  return (
    <Notice
      title="页面出错了"
      hint="错误已记录。可以重试，也可以先去别的页面；若仍出现，请把下面的内容告诉管理员。"
      details={{ 区域: remote?.title, 原因: `${error.name}: ${error.message}`, 版本: build }}
    >
      <Button type="primary" onClick={() => void onRetry().catch(reportError)}>
        重试
      </Button>
      <Link to={paths.home()}>
        <Button>回到首页</Button>
      </Link>
    </Notice>
  )
}
