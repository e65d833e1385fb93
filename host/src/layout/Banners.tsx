import Button from 'antd/es/button'
import Space from 'antd/es/space'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { userInfoAtom } from '@iot/shared/session/user'
import { findRemoteTitle } from '../remotes'
import { followDevelopment } from '../federation/development'
import { preloadRoute } from '../router'
import { preloadOnHover } from '../federation/preloadOnHover'
import { fallbackRemotesAtom, updateNoticeAtom } from '../federation/states'
import { dropOverride, isPolicyOpen, isSafe, readOverride } from '../federation/override'
import { watchReleases } from '../federation/releaseWatcher'
import * as styles from './banners.module.css'

/** Follows releases beside the shell and shows banners about unusual conditions. */
export function Banners() {
  const [updateNotice, setUpdateNotice] = useAtom(updateNoticeAtom)
  const fallbackRemotes = useAtomValue(fallbackRemotesAtom)
  // The right to use an override is known only once the user is loaded.
  useAtomValue(userInfoAtom)
  const override = readOverride()
  useEffect(() => watchReleases(), [])
  useEffect(() => preloadOnHover(preloadRoute), [])
  const { name, origin } = override ?? {}
  useEffect(
    // Before the page is loaded again with that policy, the connection would be refused and logged as an error.
    () => (name && origin && isPolicyOpen() ? followDevelopment(name, origin) : undefined),
    [name, origin],
  )
  useEffect(() => {
    if (!updateNotice || updateNotice === 'host') return
    const timer = setTimeout(() => setUpdateNotice(undefined), 8000)
    return () => clearTimeout(timer)
  }, [updateNotice, setUpdateNotice])

  return (
    <>
      {isSafe && (
        <div className={styles.banner} role="status">
          安全模式：未加载任何功能模块 <a href={location.pathname}>退出</a>
        </div>
      )}
      {override && (
        <div className={styles.banner} role="status">
          “{findRemoteTitle(override.name)}”来自开发机 {override.origin}{' '}
          <Button size="small" onClick={dropOverride}>
            恢复正式版本
          </Button>
        </div>
      )}
      {fallbackRemotes.length > 0 && (
        <div className={styles.banner} role="status">
          {fallbackRemotes.map((name) => `“${findRemoteTitle(name)}”`).join('、')}
          的新版本没有加载成功，正在使用上一版本；能加载时会自动换过去。
        </div>
      )}
      {updateNotice && (
        <div className={styles.news} role="status">
          {updateNotice === 'host' ? (
            <Space>
              控制台有新版本{' '}
              <Button size="small" type="link" onClick={() => location.reload()}>
                重新加载
              </Button>
            </Space>
          ) : (
            `“${findRemoteTitle(updateNotice)}”已更新`
          )}
        </div>
      )}
    </>
  )
}
